// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trims lines: leading blanks and trailing ones go, and what is left is printed between bars. Each
// line is a block of its own, given back when it is printed.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned trimmed;

static char *trim(char *line) {
  char *end = line + strlen(line);
  while (end > line && isspace((unsigned char)end[-1]))
    *--end = '\0';
  if (*line == ' ')
    ++trimmed;
  while (*line == ' ')
    ++line; // culprit: first corruption
  return line;
}

int main(void) {
  char text[256];
  unsigned long lines = 0;
  while (fgets(text, sizeof text, stdin)) {
    char *line = strdup(text);
    line = trim(line);
    printf("|%s|\n", line);
    free(line); // culprit: the error
    ++lines;
  }
  printf("%lu lines, %u trimmed\n", lines, trimmed);
  return 0;
}
