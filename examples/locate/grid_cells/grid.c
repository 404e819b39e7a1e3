// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers the cells of a grid: "ROWS COLUMNS [LAYERS]". Without layers their number is never set;
// it is copied with the rest, and the last cell's number is made of all three.
#include <stdio.h>
#include <stdlib.h>

struct grid {
  int rows;
  int columns;
  int layers;
};

static unsigned char cells[1000];

static int count(struct grid grid) { return grid.rows * grid.columns * grid.layers; }

static int last_of(struct grid grid) {
  int all = count(grid);
  return all - 1;
}

int main(int argc, char **argv) {
  struct grid given; // culprit: first corruption
  if (argc < 3)
    return 2;
  given.rows = atoi(argv[1]);
  given.columns = atoi(argv[2]);
  if (argc > 3) // culprit: the error
    given.layers = atoi(argv[3]);
  struct grid grid = given;
  int last = last_of(grid);
  cells[last] = 1;
  printf("the last cell has number %d\n", last);
  return 0;
}
