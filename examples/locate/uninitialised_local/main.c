// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long a ride takes, for pairs of stations in the arguments. Whether a station was found is not
// asked.
#include <stdio.h>
#include <stdlib.h>

#include "station.h"

static int used[8];

static int ride(const char *from, const char *to) {
  struct station *first; // culprit: first corruption
  struct station *second;
  find_station(from, &first); // culprit: the error
  find_station(to, &second);
  int minutes = abs(first->minute - second->minute); // culprit: also right
  used[minutes % 8]++;
  return minutes;
}

int main(int argc, char **argv) {
  for (int i = 1; i + 1 < argc; i += 2)
    printf("%s - %s: %d minutes\n", argv[i], argv[i + 1], ride(argv[i], argv[i + 1]));
  return 0;
}
