// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tree of folders printed by a recursive function that writes down the way to each one in an
// array of as many levels as somebody thought there would be.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kLevels = 6 };

struct folder {
  char name[16];
  struct folder *inside;
};

static struct {
  const char *way[kLevels];
  void (*found)(unsigned level);
} state;

static unsigned longest;

static void note(unsigned level) {
  if (level > longest)
    longest = level;
}

static struct folder *make(unsigned depth) {
  struct folder *folder = calloc(1, sizeof *folder);
  snprintf(folder->name, sizeof folder->name, "level-%u", depth);
  folder->inside = depth > 1 ? make(depth - 1) : NULL;
  return folder;
}

static void walk(const struct folder *folder, unsigned level) {
  state.way[level] = folder->name; // culprit: first corruption
  if (folder->inside)
    walk(folder->inside, level + 1);
  else
    state.found(level);
}

static void forget(struct folder *folder) {
  if (folder->inside)
    forget(folder->inside);
  free(folder);
}

int main(int argc, char **argv) {
  state.found = note;
  for (int i = 1; i < argc; ++i) {
    struct folder *root = make((unsigned)atoi(argv[i]));
    walk(root, 0);
    forget(root);
    printf("%u levels so far, the last is %s\n", longest + 1, state.way[0] ? "known" : "not");
  }
  return 0;
}
