// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warehouse: bins and their shelves, "put BIN SHELF", "swap BIN BIN", "list". When two bins
// change places, one of them is not the one that was meant.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kBins = 16 };

struct shelf {
  char *label;
  unsigned moves;
};

struct bin {
  struct shelf *shelf;
};

static struct bin bins[kBins];

static void put(unsigned bin, const char *label) {
  struct shelf *shelf = malloc(sizeof *shelf);
  shelf->label = malloc(strlen(label) + 1);
  strcpy(shelf->label, label);
  shelf->moves = 0;
  bins[bin % kBins].shelf = shelf;
}

static void swap(unsigned a, unsigned b) {
  struct bin *left = &bins[a % kBins];
  struct bin *right = &bins[b & kBins]; // culprit: first corruption
  struct shelf *kept = left->shelf;
  left->shelf = right->shelf;
  right->shelf = kept;
  ++left->shelf->moves;
  ++right->shelf->moves;
}

int main(void) {
  char line[128], label[64];
  unsigned a, b;
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "put %u %63s", &a, label) == 2)
      put(a, label);
    else if (sscanf(line, "swap %u %u", &a, &b) == 2)
      swap(a, b);
    else if (strncmp(line, "list", 4) == 0)
      for (unsigned i = 0; i < kBins; ++i)
        if (bins[i].shelf)
          printf("%u %s %u\n", i, bins[i].shelf->label, bins[i].shelf->moves);
  }
  return 0;
}
