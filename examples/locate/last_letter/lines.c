// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the newline off each line, which an empty one does not have.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *tidy(const char *text) {
  char *line = strdup(text);
  line[strlen(line) - 1] = '\0'; // culprit: first corruption
  return line;
}

int main(int argc, char **argv) {
  size_t letters = 0;
  for (int i = 1; i < argc; ++i) {
    char *line = tidy(argv[i]);
    letters += strlen(line);
    free(line);
  }
  printf("%zu letters\n", letters);
  return 0;
}
