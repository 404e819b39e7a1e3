// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lamps on a switchboard: the first argument is a melody, a letter for each line to light, the
// others are labels of lamps. Lines without a lamp are thought to be empty.
#include <stdio.h>
#include <stdlib.h>

#include "relay.h"

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  struct lamp *lamps = calloc((size_t)argc, sizeof *lamps);
  for (int i = 2; i < argc; ++i)
    lamps[i - 2].label = argv[i];
  int different = variety(argv[1]);
  int lit = play(lamps, argc - 2, argv[1]);
  printf("%d lit, %d different letters\n", lit, different);
  free(lamps);
  return 0;
}
