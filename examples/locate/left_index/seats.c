// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seats of a hall: "party SIZE" seats so many people in the next free places, "name TEXT" greets
// somebody, "bill" adds up what the last party pays. Which seats it has is kept in an array that
// was local to the function that seated it; who is greeted next has its own numbers there. They
// are used as indexes, not as pointers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kSeats = 40, kLargest = 8 };

struct party {
  int count;
  const int *seats;
};

static struct party last;

static void seat(int *next, int count) {
  int seats[kLargest] = {0}; // culprit: first corruption
  if (count > kLargest)
    count = kLargest;
  for (int i = 0; i < count; ++i)
    seats[i] = (*next)++ % kSeats;
  printf("seats %d to %d\n", seats[0], seats[count - 1]);
  last.count = count;
  last.seats = seats; // culprit: the error
}

// How wide the name will be on the card, in hundredths of a millimetre.
static int greet(const char *name) {
  int widths[2 * kLargest];
  int sum = 0;
  for (int i = 0; i < 2 * kLargest; ++i)
    widths[i] = 181000000 + 7000 * i;
  for (const char *at = name; *at; ++at)
    sum += widths[*at % (2 * kLargest)] % 1000;
  printf("welcome, %s\n", name);
  return sum;
}

int main(int argc, char **argv) {
  int *prices = malloc(kSeats * sizeof *prices);
  int next = 0;
  int width = 0;
  if (!prices)
    return 2;
  for (int i = 0; i < kSeats; ++i)
    prices[i] = 20 - i / 4;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "party") == 0 && i + 1 < argc) {
      seat(&next, atoi(argv[++i]));
    } else if (strcmp(argv[i], "name") == 0 && i + 1 < argc) {
      width += greet(argv[++i]);
    } else if (strcmp(argv[i], "bill") == 0) {
      int sum = 0;
      for (int k = 0; k < last.count; ++k)
        sum += prices[last.seats[k]];
      printf("%d to pay\n", sum);
    }
  }
  printf("%d wide\n", width);
  free(prices);
  return 0;
}
