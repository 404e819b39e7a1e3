// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seats of a hall, built with the compiler's own traps for indexes out of bounds. A row is counted
// from 1 in the plan and from 0 in the table.
#include <stdio.h>

enum { kRows = 6, kSeats = 8 };

static char hall[kRows][kSeats];

static int row_of(char letter) {
  int row = letter - 'A' + 1; // culprit: first corruption
  return row;
}

static void book(char letter, int seat) {
  int row = row_of(letter);
  hall[row][seat] = 1;
}

int main(void) {
  char letter;
  int seat;
  unsigned taken = 0;
  while (scanf(" %c%d", &letter, &seat) == 2)
    book(letter, seat - 1);
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < kSeats; ++j)
      taken += hall[i][j] != 0;
  printf("%u seats\n", taken);
  return 0;
}
