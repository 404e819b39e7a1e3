// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A line editor: letters are typed at the end, a digit moves the cursor to the left by so many. By
// more than there are letters, and no letter typed after it mends that.
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

struct line {
  char *letters;
  unsigned length;
  unsigned room;
  unsigned cursor;
};

static void type(struct line *line, char letter) {
  if (line->length == line->room) {
    line->room = line->room * 2 + 8;
    line->letters = realloc(line->letters, line->room);
  }
  line->letters[line->length] = letter;
  line->length = line->length + 1;
}

static void left(struct line *line, unsigned by) {
  line->cursor = line->length - by; // culprit: first corruption
}

static char under_cursor(const struct line *line) {
  assert(line->cursor < line->length);
  return line->letters[line->cursor];
}

int main(int argc, char **argv) {
  struct line line = {NULL, 0, 0, 0};
  for (const char *key = argc > 1 ? argv[1] : ""; *key != '\0'; key++) {
    if (isdigit((unsigned char)*key))
      left(&line, (unsigned)(*key - '0'));
    else
      type(&line, *key);
  }
  printf("%c\n", under_cursor(&line));
  free(line.letters);
  return 0;
}
