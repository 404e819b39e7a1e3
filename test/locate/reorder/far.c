// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A column number that was not checked: writes behind a local table, but not at its very end.
#include <stdio.h>
#include <stdlib.h>

static int mark(int column) {
  char names[400] = "";
  char flags[16] = "";
  flags[column] = 'x'; // culprit: first corruption
  return flags[3] + names[5];
}

int main(int argc, char **argv) {
  printf("%d\n", mark(argc > 1 ? atoi(argv[1]) : 19));
  return 0;
}
