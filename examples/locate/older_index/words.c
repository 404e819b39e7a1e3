// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the last letter of each line, and of a copy of it. An empty line has none.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned last_of(const char *line) {
  return (unsigned)strlen(line) - 1; // culprit: first corruption
}

static char letter(const char *text, unsigned number) { return text[number]; }

int main(void) {
  char line[64];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = '\0';
    unsigned last = last_of(line);
    char *copy = strdup(line);
    printf("%c\n", letter(copy, last));
    free(copy);
  }
  return 0;
}
