// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads a ferry: each line of the input is a lane and the length of a car. At the end the books are
// checked, all in one assertion. Nothing checks the lane.
#include <assert.h>
#include <stdio.h>

enum { kLanes = 4, kLongest = 60, kFare = 20 };

int length[kLanes] = {0};
int refunds = 0;
int paid = 0;
int trips = 0;

static void load(int lane, int metres) {
  length[lane] += metres; // culprit: first corruption
  paid += kFare;
}

static int longest(void) {
  int most = 0;
  for (int i = 0; i < kLanes; ++i)
    most = length[i] > most ? length[i] : most;
  return most;
}

int main(void) {
  int lane;
  int metres;
  int lines = 0;
  while (scanf("%d %d", &lane, &metres) == 2) {
    load(lane, metres);
    ++lines;
  }
  assert(paid > 0 && (longest() <= kLongest || trips > 1) && refunds == 0);
  for (int i = 0; i < kLanes; ++i)
    printf("lane %d: %d m\n", i, length[i]);
  printf("%d cars, %d paid\n", lines, paid);
  return 0;
}
