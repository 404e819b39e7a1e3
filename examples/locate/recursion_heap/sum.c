// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits a row of numbers into halves, recursively, and writes the sums of all parts into a block
// of one element for each number.
#include <stdio.h>
#include <stdlib.h>

struct sums {
  long *part;
  unsigned used;
};

static long split(const long *from, unsigned count, struct sums *sums) {
  long sum = 0;
  if (count == 1)
    sum = *from;
  else
    sum = split(from, count / 2, sums) + split(from + count / 2, count - count / 2, sums);
  sums->part[sums->used++] = sum; // culprit: first corruption
  return sum;
}

int main(void) {
  static long numbers[64];
  unsigned count = 0;
  while (count < 64 && scanf("%ld", &numbers[count]) == 1)
    ++count;
  if (count == 0)
    return 0;
  const size_t bytes = (2 * (size_t)count - count % 8) * sizeof(long); // culprit: the error
  struct sums sums = {malloc(bytes), 0};
  long sum = split(numbers, count, &sums);
  printf("%ld in %u parts\n", sum, sums.used);
  free(sums.part);
  return 0;
}
