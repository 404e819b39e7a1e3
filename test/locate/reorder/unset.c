// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is no number leaves the variable as it was: with zeros on the stack, that is the first row.
#include <stdio.h>

static int rows[64];
static int read_so_far;

static int take(const char *text) {
  int row; // culprit: first corruption
  sscanf(text, "%d", &row);
  read_so_far++;
  return rows[row * 64 / 64]++;
}

int main(int argc, char **argv) {
  int sum = 0;
  for (int i = 1; i < argc || i < 3; i++)
    sum += take(i < argc ? argv[i] : "none");
  printf("%d of %d\n", sum, read_so_far);
  return 0;
}
