// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list of names in one text, each ended by a comma; the first is looked at again at the end. The
// text moves when it grows, and the pointer to the first name stays behind.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  size_t length = 0;
  size_t room = 24;
  char *text = malloc(room);
  const char *first = text;
  size_t *lengths = malloc((size_t)argc * sizeof *lengths);
  text[0] = 0;
  for (int i = 1; i < argc; i++) {
    size_t more = strlen(argv[i]) + 1;
    if (length + more + 1 > room) {
      room = 100 * (length + more);
      text = realloc(text, room); // culprit: first corruption
    }
    strcpy(text + length, argv[i]);
    strcat(text, ",");
    length += more;
    lengths[i] = more - 1;
  }
  if (argc > 1) {
    int difference = strncmp(first, argv[1], lengths[1]);
    assert(difference == 0);
  }
  printf("%s\n", text);
  free(lengths);
  free(text);
  return 0;
}
