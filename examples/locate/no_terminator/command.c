// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the list of words of a command. Nobody ends it with a null pointer.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char **split(char *line) {
  unsigned room = 2;
  for (const char *at = line; *at; ++at)
    room += *at == ' ';
  char **words = malloc(room * sizeof *words); // culprit: first corruption
  unsigned used = 0;
  for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n"))
    words[used++] = word;
  if (line[0] != '#')
    words[used] = NULL; // culprit: the error
  return words;
}

static void dirty(void) {
  char *block = malloc(24);
  for (volatile char *at = block; at < block + 24; ++at)
    *at = 'x';
  free(block);
}

int main(void) {
  char line[128];
  size_t letters = 0;
  while (fgets(line, sizeof line, stdin)) {
    dirty();
    char **words = split(line);
    for (char **word = words; *word; ++word)
      letters += strlen(*word);
    free(words);
  }
  printf("%zu letters\n", letters);
  return 0;
}
