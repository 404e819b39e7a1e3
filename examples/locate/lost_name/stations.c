// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stops of a railway share the names of their stations. When the stations are tidied up, each
// gets a name of its own length, and the old one is freed, though stops still have it: they do not
// find their station any more.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct station {
  char *name;
  int stops;
};

static struct station stations[16];
static int station_count;
static char *stops[64]; // by name
static int stop_count;

static struct station *find(const char *name) {
  for (int i = 0; i < station_count; i++)
    if (strcmp(stations[i].name, name) == 0)
      return &stations[i];
  return NULL;
}

static struct station *found(const char *name) {
  struct station *station = find(name);
  if (station == NULL) {
    fprintf(stderr, "a station is lost\n");
    abort();
  }
  return station;
}

static void build(const char *name) {
  stations[station_count].name = malloc(32);
  strcpy(stations[station_count++].name, name);
}

static void stop_at(const char *name) { stops[stop_count++] = found(name)->name; }

static void tidy(const char *name) {
  struct station *station = found(name);
  char *own = strdup(station->name);
  free(station->name); // culprit: first corruption
  station->name = own;
}

int main(void) {
  char command[16], name[32];
  while (scanf("%15s %31s", command, name) == 2) {
    if (strcmp(command, "build") == 0)
      build(name);
    else if (strcmp(command, "stop") == 0)
      stop_at(name);
    else if (strcmp(command, "tidy") == 0)
      tidy(name);
  }
  for (int i = 0; i < stop_count; i++)
    found(stops[i])->stops++;
  for (int i = 0; i < station_count; i++)
    printf("%s %d\n", stations[i].name, stations[i].stops);
}
