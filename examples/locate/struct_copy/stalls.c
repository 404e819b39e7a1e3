// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A market: "stall NAME RENT" takes a place in the row, "total" adds the rents up by way of the
// cheapest stall. A row has eight places and whoever comes ninth is put behind them, a whole
// struct, over what the row knows of itself.
#include <stdio.h>
#include <string.h>

struct stall {
  char name[12];
  unsigned rent;
};

struct row {
  struct stall stalls[8];
  struct stall *cheapest;
  unsigned used;
};

static struct row row;

static struct stall stall_of(const char *name, unsigned rent) {
  struct stall stall;
  memset(&stall, 0, sizeof stall);
  strncpy(stall.name, name, sizeof stall.name - 1);
  stall.rent = rent;
  return stall;
}

static void take_place(struct row *row, const struct stall *stall) {
  if (row->cheapest == NULL || stall->rent < row->cheapest->rent)
    row->cheapest = &row->stalls[row->used];
  unsigned place = row->used++;
  row->stalls[place] = *stall; // culprit: first corruption
}

static unsigned total(const struct row *row) {
  unsigned sum = 0;
  for (unsigned i = 0; i < row->used && i < 8; ++i)
    sum += row->stalls[i].rent - row->cheapest->rent;
  return sum + row->cheapest->rent;
}

int main(void) {
  char line[80], name[40];
  unsigned rent;
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "stall %39s %u", name, &rent) == 2) {
      const struct stall stall = stall_of(name, rent);
      take_place(&row, &stall);
    } else if (strncmp(line, "total", 5) == 0 && row.cheapest != NULL) {
      printf("%u\n", total(&row));
    }
  }
  return 0;
}
