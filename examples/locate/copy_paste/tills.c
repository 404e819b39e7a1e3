// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One or two tills: what came in and the number of the slip, from standard input, behind the number
// of tills. The sums choose a box of the safe. With two tills, Figure 1 of the paper as a program.
#include <stdio.h>
#include <stdlib.h>

enum { kBoxes = 256, kSlips = 32 };

struct slip {
  int number;
  int used;
};

static int read_int(void) {
  int value = 0;
  if (scanf("%d", &value) != 1) {
    fprintf(stderr, "tills: too few numbers\n");
    exit(2);
  }
  return value;
}

static struct slip **print_slips(void) {
  struct slip **slips = malloc(kSlips * sizeof *slips);
  for (int i = 0; i < kSlips; ++i) {
    slips[i] = malloc(sizeof **slips);
    slips[i]->number = 100 + i;
    slips[i]->used = 1;
  }
  return slips;
}

static int one_till(int *boxes) {
  int *x = malloc(2 * sizeof *x);
  x[1] = read_int();
  x[0] = read_int();
  int c = x[0] + x[1];
  boxes[c] = 1;
  free(x);
  return c;
}

static int two_tills(int *boxes, struct slip **slips) {
  int *x = malloc(2 * sizeof *x);
  int *y = malloc(2 * sizeof *y);

  int *cash_x = &x[1];
  int *slip_x = &x[0];
  int *cash_y = &y[1];
  int *slip_y = &x[0]; // culprit: first corruption
  *cash_x = read_int();
  *slip_x = read_int();
  *cash_y = read_int();
  *slip_y = read_int();
  int a = *cash_x + *slip_x;
  int b = *cash_y + *slip_y;
  int c = a + b + 1;
  boxes[c] = 1;
  slips[*slip_x]->used = 0;
  free(slip_x);
  free(slip_y);
  return c;
}

int main(void) {
  int *boxes = calloc(kBoxes, sizeof *boxes);
  struct slip **slips = print_slips();
  int tills = read_int();
  printf("box %d\n", tills == 1 ? one_till(boxes) : two_tills(boxes, slips));
  for (int i = 0; i < kSlips; ++i)
    free(slips[i]);
  free(slips);
  free(boxes);
  return 0;
}
