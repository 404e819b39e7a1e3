// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A car park: "in PLATE", "out PLATE", "pay PLATE". Who pays after he has left pays into a block
// that is free.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct car {
  char plate[16];
  long reserved;
  int paid;
};

static struct car *places[16];
static struct car *seen_last;
static unsigned inside, payments;

static int find(const char *plate) {
  for (int i = 0; i < 16; ++i)
    if (places[i] && strcmp(places[i]->plate, plate) == 0)
      return i;
  return -1;
}

static void in(const char *plate) {
  for (int i = 0; i < 16; ++i) {
    if (places[i])
      continue;
    places[i] = calloc(1, sizeof *places[i]);
    snprintf(places[i]->plate, sizeof places[i]->plate, "%s", plate);
    seen_last = places[i];
    ++inside;
    return;
  }
}

static void out(const char *plate) {
  int place = find(plate);
  if (place < 0)
    return;
  free(places[place]); // culprit: first corruption
  places[place] = NULL;
  --inside;
}

static void pay(void) {
  if (!seen_last)
    return;
  seen_last->paid = 1; // culprit: the error // culprit: also right
  ++payments;
}

int main(void) {
  char line[64], plate[16];
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "in %15s", plate) == 1)
      in(plate);
    else if (sscanf(line, "out %15s", plate) == 1)
      out(plate);
    else if (strncmp(line, "pay", 3) == 0)
      pay();
  }
  printf("%u inside, %u payments\n", inside, payments);
  return 0;
}
