// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Labels for jars: each argument is put on a label with the year behind it. The block has room for
// everything but the last bytes, which fall into what malloc rounds up.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *label(const char *what, int year) {
  char *text = malloc(strlen(what) + 4); // culprit: also right
  sprintf(text, "%s %d", what, year);    // culprit: first corruption
  return text;
}

int main(int argc, char **argv) {
  char *labels[8];
  int count = 0;
  for (int i = 2; i < argc && count < 8; ++i)
    labels[count++] = label(argv[i], atoi(argv[1]));
  for (int i = 0; i < count; ++i) {
    puts(labels[i]);
    free(labels[i]);
  }
  return 0;
}
