// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of records is cleared with the size of another type; what follows is only counted.
#include <stdio.h>
#include <string.h>

struct point {
  short x, y;
};
static struct point points[10];
static int hits, misses = 4;

static void reset(size_t bytes) {
  memset(points, 0, bytes); // culprit: first corruption
}

int main(int argc, char **argv) {
  (void)argv;
  reset((size_t)argc + 47);
  hits += points[3].x == 0;
  printf("%d %d\n", hits, misses);
  return 0;
}
