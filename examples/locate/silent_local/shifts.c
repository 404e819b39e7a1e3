// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds up hours: each line is "DAY HOURS", the day from 1 to 7. They are added in a local table
// from 0 to 6, and Sunday falls out of it.
#include <stdio.h>
#include <stdlib.h>

static int read_week(FILE *in, int *longest) {
  int sums[4] = {0, 0, 0, 0};
  int hours[7] = {0, 0, 0, 0, 0, 0, 0};
  int *best = &hours[0];
  int day, number;
  while (fscanf(in, "%d %d", &day, &number) == 2) {
    if (day < 1 || day > 7)
      continue;
    hours[day] += number; // culprit: first corruption
    ++sums[day % 4];
  }
  for (int i = 0; i < 7; ++i)
    if (hours[i] > *best)
      best = &hours[i];
  *longest = *best;
  return sums[0] + sums[1] + sums[2] + sums[3];
}

int main(void) {
  int longest = 0;
  int shifts = read_week(stdin, &longest);
  printf("%d shifts, longest day %d\n", shifts, longest);
  return 0;
}
