// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Joins the parts of a way to a file. There is no room for the slash between them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *join(const char *folder, const char *file) {
  char *way = malloc(strlen(folder) + strlen(file) + 1); // culprit: the error
  char *end = way;
  while (*folder)
    *end++ = *folder++;
  if (end > way && end[-1] != '/')
    *end++ = '/';
  while (*file)
    *end++ = *file++;
  *end = '\0'; // culprit: first corruption
  return way;
}

int main(int argc, char **argv) {
  char *way = strdup(argc > 1 ? argv[1] : "");
  for (int i = 2; i < argc; ++i) {
    char *longer = join(way, argv[i]);
    free(way);
    way = longer;
  }
  puts(way);
  free(way);
  return 0;
}
