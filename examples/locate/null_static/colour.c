// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints text in colour. Colours are chosen by options; which table they are looked up in is set by
// the option -t, which is not always given.
#include <stdio.h>
#include <string.h>

struct table {
  const char *name;
  const char *codes[4];
};

static const struct table tables[] = {
    {"plain", {"0", "1", "2", "3"}},
    {"loud", {"30", "31", "32", "33"}},
};

static const struct table *chosen; // culprit: first corruption
static int colour = -1;

static void option(const char *text) {
  if (text[1] == 't')
    for (unsigned i = 0; i < sizeof tables / sizeof *tables; ++i)
      if (strcmp(tables[i].name, text + 2) == 0)
        chosen = &tables[i];
  if (text[1] == 'c')
    colour = (text[2] - '0') & 3;
}

static void print(const char *text) {
  if (colour < 0)
    puts(text);
  else
    printf("[%s]%s[0]\n", chosen->codes[colour], text);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    if (argv[i][0] == '-')
      option(argv[i]);
    else
      print(argv[i]);
  }
  return 0;
}
