// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A route as a chain of stops; the arguments are stops. A route that is empty has a stop that is no
// block of the heap, and a chain is given back as a whole.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stop {
  struct stop *next;
  char name[24];
};

static unsigned given_back;

static struct stop *make(const char *name) {
  struct stop *stop = malloc(sizeof *stop);
  stop->next = NULL;
  snprintf(stop->name, sizeof stop->name, "%s", name);
  return stop;
}

static void give_back(struct stop *stop) {
  while (stop) {
    struct stop *next = stop->next;
    free(stop);
    ++given_back;
    stop = next;
  }
}

static unsigned travel(int argc, char **argv) {
  struct stop home = {NULL, "home"};
  struct stop *route = NULL, **last = &route;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "home") == 0)
      *last = &home; // culprit: first corruption
    else
      *last = make(argv[i]);
    last = &(*last)->next;
  }
  unsigned stops = 0;
  for (struct stop *stop = route; stop; stop = stop->next, ++stops)
    printf("%s\n", stop->name);
  give_back(route); // culprit: the error
  return stops;
}

int main(int argc, char **argv) {
  unsigned stops = travel(argc, argv);
  printf("%u stops, %u given back\n", stops, given_back);
  return 0;
}
