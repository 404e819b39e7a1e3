// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An outline of numbered lines: "line TEXT" is a line, "after A B" says that line B comes after
// line A; at the end all lines from the first one are written backwards, by recursion. Nothing
// keeps a line from coming after one that follows it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kLines = 32 };

struct line {
  struct line *next;
  char text[48];
};

static struct line lines[kLines];
static unsigned used, printed;

static void add(const char *text) {
  if (used < kLines)
    snprintf(lines[used++].text, sizeof lines->text, "%s", text);
}

static void order(unsigned a, unsigned b) {
  if (a < used && b < used)
    lines[a].next = &lines[b]; // culprit: first corruption
}

static void print_backwards(const struct line *line, unsigned depth) {
  char text[64];
  if (!line)
    return;
  print_backwards(line->next, depth + 1);
  snprintf(text, sizeof text, "%2u %s", depth, line->text);
  puts(text);
  ++printed;
}

int main(void) {
  char line[128], text[64];
  unsigned a, b;
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "line %63s", text) == 1)
      add(text);
    else if (sscanf(line, "after %u %u", &a, &b) == 2)
      order(a, b);
  }
  print_backwards(lines, 1);
  printf("%u printed\n", printed);
  return 0;
}
