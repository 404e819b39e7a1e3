// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quotes words for a shell: each argument is put between quotes, and what is special gets a
// backslash. All quoted words are kept until the line is printed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
  char *text;
  struct word *next;
};

static char *quoted(const char *plain) {
  char *result = malloc(strlen(plain) + 8); // culprit: the error // culprit: also right
  char *out = result;
  *out++ = '"';
  for (; *plain; ++plain) {
    if (strchr("\"\\$`", *plain))
      *out++ = '\\'; // culprit: also right
    *out++ = *plain; // culprit: first corruption
  }
  *out++ = '"';
  *out = '\0';
  return result;
}

int main(int argc, char **argv) {
  struct word *first = NULL, **last = &first;
  for (int i = 1; i < argc; ++i) {
    struct word *word = malloc(sizeof *word);
    word->text = quoted(argv[i]);
    word->next = NULL;
    *last = word;
    last = &word->next;
  }
  while (first) {
    struct word *next = first->next;
    printf("%s%s", first->text, next ? " " : "\n");
    free(first->text);
    free(first);
    first = next;
  }
  return 0;
}
