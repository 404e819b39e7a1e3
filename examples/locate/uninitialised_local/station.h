// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stations of a line, and the search for one.
#ifndef STATION_H
#define STATION_H

struct station {
  const char *name;
  int minute;
};

// Sets *found if there is such a station; says whether there is one.
int find_station(const char *name, struct station **found);

#endif
