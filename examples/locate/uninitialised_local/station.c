// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "station.h"

#include <string.h>

static struct station line[] = {{"quay", 0}, {"market", 4}, {"hospital", 9}, {"terminus", 15}};

int find_station(const char *name, struct station **found) {
  for (unsigned i = 0; i < sizeof line / sizeof *line; ++i) {
    if (strcmp(line[i].name, name) == 0) {
      *found = &line[i];
      return 1;
    }
  }
  return 0;
}
