// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps a tally of colours: the arguments are names, the first one the title of the tally. The
// title is copied into a field in front of the counts.
#include <stdio.h>
#include <string.h>

char title[16] = "";
unsigned red = 0, green = 0, blue = 0;
const char *unit = "balls";

static void set_title(const char *text) {
  strcpy(title, text); // culprit: first corruption
}

static void count(const char *name) {
  red += name[0] == 'r';
  green += name[0] == 'g';
  blue += name[0] == 'b';
}

int main(int argc, char **argv) {
  if (argc > 1)
    set_title(argv[1]);
  for (int i = 2; i < argc; ++i)
    count(argv[i]);
  printf("%.16s: %u red, %u green, %u blue %s\n", title, red, green, blue, unit);
  return 0;
}
