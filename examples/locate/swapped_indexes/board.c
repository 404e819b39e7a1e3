// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A board of 4 rows and 12 columns; one function has the two the other way round.
#include <stdio.h>
#include <stdlib.h>

enum { kRows = 4, kColumns = 12 };

struct piece {
  char letter;
};

static struct {
  struct piece *at[kRows][kColumns];
  struct piece *king;
} board;

static void put(int column, int row, struct piece *piece) {
  board.at[column][row] = piece; // culprit: first corruption
}

int main(void) {
  int column, row;
  char letter;
  unsigned sum = 0;
  board.king = calloc(1, sizeof *board.king);
  board.king->letter = 'K';
  while (scanf("%d %d %c", &column, &row, &letter) == 3) {
    struct piece *piece = NULL;
    if (letter != '.') {
      piece = calloc(1, sizeof *piece);
      piece->letter = letter;
    }
    put(column, row, piece);
  }
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < kColumns; ++j)
      sum += board.at[i][j] ? (unsigned char)board.at[i][j]->letter : 0;
  printf("%u %c\n", sum, board.king->letter);
  return 0;
}
