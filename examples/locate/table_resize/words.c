// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts words in a table that grows. The entry of the last word is remembered, so that "again"
// counts it once more; but it may have moved.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  char *word;
  unsigned count;
};

static struct entry *table;
static unsigned used, room;

static struct entry *find(const char *word) {
  for (unsigned i = 0; i < used; ++i)
    if (strcmp(table[i].word, word) == 0)
      return &table[i];
  return NULL;
}

static struct entry *insert(const char *word) {
  if (used == room) {
    room = room ? 2 * room : 2;
    table = realloc(table, room * sizeof *table); // culprit: first corruption
  }
  table[used] = (struct entry){strdup(word), 0};
  return &table[used++];
}

int main(void) {
  char word[32];
  struct entry *favourite = NULL;
  size_t letters = 0;
  while (scanf("%31s", word) == 1) {
    if (strcmp(word, "again") == 0 && favourite) {
      ++favourite->count;
      letters += strlen(favourite->word);
      continue;
    }
    struct entry *entry = find(word);
    if (!entry)
      entry = insert(word);
    ++entry->count;
    if (!favourite)
      favourite = entry;
  }
  printf("%u words, %zu letters again\n", used, letters);
  for (unsigned i = 0; i < used; ++i)
    free(table[i].word);
  free(table);
  return 0;
}
