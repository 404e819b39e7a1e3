// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options read by a function for long numbers, into variables of which one is shorter.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
  int depth;
  unsigned width;
  char *title;
  int level;
  int pad;
  const char *place;
} options;

static void read_number(void *into, const char *text) {
  *(long *)into = strtol(text, NULL, 10); // culprit: first corruption
}

static void read_option(const char *option) {
  if (strncmp(option, "depth=", 6) == 0)
    options.depth = atoi(option + 6);
  else if (strncmp(option, "level=", 6) == 0)
    read_number(&options.pad, option + 6);
}

int main(int argc, char **argv) {
  options.title = strdup("title");
  options.place = options.title;
  for (int i = 1; i < argc; ++i)
    read_option(argv[i]);
  printf("%s, depth %d, level %d: %c\n", options.title, options.depth, options.level,
         *options.place);
  free(options.title);
  return 0;
}
