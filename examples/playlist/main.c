// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads one command a line: `+ TITLE` appends a song, `- NUMBER` drops one. Prints what is left.
#include "playlist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  struct playlist list = {0};
  char line[256];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, "+ ", 2) == 0)
      append(&list, line + 2);
    else if (strncmp(line, "- ", 2) == 0)
      drop(&list, (unsigned)strtoul(line + 2, NULL, 10));
  }
  unsigned number = 0;
  for (const struct song *song = list.first; song; song = song->next)
    printf("%u %s\n", number++, song->title);
  clear(&list);
  return 0;
}
