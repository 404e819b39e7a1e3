// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hotel: `name TEXT`, `room NUMBER GUEST`, `leave NUMBER`, `ring NUMBER`, `list`, one a line. Two
// errors: the hotel's name is copied without a look at its length, and the bell of a room outlives
// its guest. The folder crashes has what a fuzzer may find: five inputs that fall over in four
// places.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kRooms = 8 };

struct guest {
  char *name;
  int rings;
};

char hotel[16] = "";
FILE *ledger = NULL;
static struct guest *rooms[kRooms];
static struct guest *bells[kRooms];

static void name_hotel(const char *text) {
  strcpy(hotel, text); // the first error
}

static void enter(int room, const char *name) {
  struct guest *guest = calloc(1, sizeof *guest);
  guest->name = strdup(name);
  rooms[room] = bells[room] = guest;
  fputs("a guest has come\n", ledger);
}

static void leave(int room) {
  if (!rooms[room])
    return;
  free(rooms[room]->name);
  free(rooms[room]); // the second error: bells[room] is still there
  rooms[room] = NULL;
}

static void ring(int room) {
  if (bells[room])
    printf("%c is called\n", *bells[room]->name);
}

static void list(void) {
  for (int room = 0; room < kRooms; ++room)
    if (bells[room])
      fprintf(ledger, "%s: room %d rang %d times\n", hotel, room, ++bells[room]->rings);
}

int main(int argc, char **argv) {
  FILE *input = argc > 1 ? fopen(argv[1], "r") : NULL;
  ledger = stdout;
  char line[200], verb[16], first[100], second[100];
  while (input && fgets(line, sizeof line, input)) {
    first[0] = second[0] = '\0';
    if (sscanf(line, "%15s %99s %99s", verb, first, second) < 1)
      continue;
    const int room = atoi(first) & (kRooms - 1);
    if (strcmp(verb, "name") == 0)
      name_hotel(first);
    else if (strcmp(verb, "room") == 0)
      enter(room, second);
    else if (strcmp(verb, "leave") == 0)
      leave(room);
    else if (strcmp(verb, "ring") == 0)
      ring(room);
    else if (strcmp(verb, "list") == 0)
      list();
  }
  return ferror(ledger);
}
