// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A local structure's text runs past the structure, over a pointer that is not used any more.
#include <stdio.h>
#include <string.h>

struct entry {
  int number;
  char text[12];
};

static int fill(const char *word) {
  char spare[40] = "";
  const char *first = word;
  struct entry entry = {1, ""};
  entry.number += *first == 'x';
  memcpy(entry.text, word, strlen(word) + 1); // culprit: first corruption
  snprintf(spare, sizeof spare, "%d", entry.number);
  return (int)(strlen(spare) + strlen(entry.text));
}

int main(int argc, char **argv) {
  printf("%d\n", fill(argc > 1 ? argv[1] : "fourteen chars"));
  return 0;
}
