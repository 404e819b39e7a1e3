// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trailing blanks are taken off; of a text of blanks alone, also what lies before the buffer.
#include <stdio.h>
#include <string.h>

int lines = 0;
char line[16] = "";
int width = 3;

static void strip(void) {
  char *end = line + strlen(line) - 1;
  while (*end == ' ' && end > line)
    --end;
  if (*end == ' ')
    --end;
  end[0] = '\0'; // culprit: first corruption
  ++lines;
}

int main(int argc, char **argv) {
  strcpy(line, argc > 1 ? argv[1] : "   ");
  strip();
  printf("%d %d\n", lines, width);
  return 0;
}
