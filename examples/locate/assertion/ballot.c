// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts votes: each line of the input is a ballot with the numbers of the candidates, best first.
// The sum of all votes is checked at the end. A ballot may name a candidate who does not stand.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kCandidates = 6 };

unsigned votes[kCandidates] = {0};
unsigned ballots = 0;
unsigned counted = 0;

static void count(char *line) {
  ++ballots;
  char *first = strtok(line, " \n");
  if (!first)
    return;
  int candidate = atoi(first);
  ++votes[candidate]; // culprit: first corruption
  ++counted;
}

static unsigned sum(void) {
  unsigned all = 0;
  for (int i = 0; i < kCandidates; ++i)
    all += votes[i];
  return all;
}

int main(void) {
  char line[128];
  while (fgets(line, sizeof line, stdin))
    count(line);
  assert(ballots == counted);
  for (int i = 0; i < kCandidates; ++i)
    printf("%d: %u\n", i, votes[i]);
  printf("%u ballots, %u votes\n", ballots, sum());
  return 0;
}
