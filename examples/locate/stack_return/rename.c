// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes names of files portable, as polymorph did: letters become small, blanks underscores. The
// new name is made in an array of the function that is left right after it.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { kName = 48 };

static unsigned renamed, kept;

static int convert(const char *name) {
  char portable[kName];
  int changed = 0;
  strcpy(portable, name); // culprit: first corruption
  for (char *at = portable; *at; ++at) {
    char c = (char)(*at == ' ' ? '_' : tolower((unsigned char)*at));
    changed += c != *at;
    *at = c;
  }
  puts(portable);
  return changed;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    if (convert(argv[i]))
      ++renamed;
    else
      ++kept;
  }
  printf("%u renamed, %u kept\n", renamed, kept);
  return 0;
}
