// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads samples from a record: "n" goes on to the next row, "s" and a number sets how far into a
// row to look. The number is multiplied where it should be bounded; rows that are gone on to later
// are newer, and right.
#include <stdio.h>
#include <stdlib.h>

enum { kRows = 40, kColumns = 25 };

struct reader {
  const int *row;
  long column;
};

static void next(struct reader *reader) { reader->row = reader->row + kColumns; }

static void set(struct reader *reader, long column) {
  reader->column = column * column; // culprit: first corruption
}

static int sample(const struct reader *reader) { return reader->row[reader->column]; }

int main(int argc, char **argv) {
  int *samples = calloc(kRows * kColumns, sizeof *samples);
  struct reader *reader = malloc(sizeof *reader);
  reader->row = samples;
  reader->column = 0;
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] == 'n')
      next(reader);
    else
      set(reader, atol(argv[i] + 1));
  }
  printf("%d\n", sample(reader));
  free(reader);
  free(samples);
  return 0;
}
