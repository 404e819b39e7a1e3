// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints its arguments as an outline: "(" begins a level, ")" ends it. A token knows the bracket
// that it is in by its address, and the list of tokens moves when it grows.
#include <stdio.h>
#include <stdlib.h>

struct token {
  const char *text;
  int letters;
  struct token *parent;
};

static struct token *tokens;
static int count, room;

static struct token *add(const char *text) {
  if (count == room) {
    room = room ? 2 * room : 2;
    tokens = realloc(tokens, room * sizeof *tokens); // culprit: first corruption
  }
  struct token *token = &tokens[count++];
  token->text = text;
  token->letters = 0;
  while (text[token->letters])
    token->letters++;
  return token;
}

static int depth(const struct token *token) {
  int levels = 0;
  while ((token = token->parent))
    levels++;
  return levels;
}

int main(int argc, char **argv) {
  struct token *open = NULL;
  for (int i = 1; i < argc; i++) {
    struct token *token = add(argv[i]);
    token->parent = open; // culprit: the error
    if (argv[i][0] == '(')
      open = token;
    else if (argv[i][0] == ')' && open)
      open = open->parent;
  }
  for (int i = 0; i < count; i++)
    printf("%*s%s\n", 2 * depth(&tokens[i]), "", tokens[i].text);
  free(tokens);
  return 0;
}
