// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders at a counter: "table N" opens one, "dish NAME" adds to it, "serve" prints what is open.
// The head of a table's list of dishes is a local variable of the function that opens the table,
// and is linked all the same: whoever is called next has its own variables there.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dish {
  struct dish *next;
  const char *name;
};

static struct dish *open_tables[8];
static unsigned used;

static void open_table(const char *number) {
  struct dish head = {NULL, number}; // culprit: first corruption
  if (used < 8)
    open_tables[used++] = &head; // culprit: the error
}

static void add(const char *name) {
  struct dish *dish = malloc(sizeof *dish);
  if (!dish || used == 0)
    exit(2);
  dish->next = open_tables[used - 1]->next;
  dish->name = name;
  open_tables[used - 1]->next = dish;
}

// How many words a line has, and which letters begin them.
static unsigned count_words(const char *line) {
  unsigned long counts[8];
  unsigned words = 0;
  for (unsigned i = 0; i < 8; ++i)
    counts[i] = 1000 + i;
  for (const char *at = line; *at; ++at)
    if (*at != ' ' && (at == line || at[-1] == ' '))
      ++counts[words++ % 8];
  for (unsigned i = 0; i < 8; ++i)
    words += counts[i] > 2000;
  return words;
}

static void serve(void) {
  for (unsigned i = 0; i < used; ++i)
    for (const struct dish *dish = open_tables[i]; dish; dish = dish->next)
      puts(dish->name);
}

int main(int count, char **words) {
  unsigned all = 0;
  for (int i = 1; i + 1 < count; i += 2) {
    if (strcmp(words[i], "table") == 0)
      open_table(words[i + 1]);
    else if (strcmp(words[i], "dish") == 0)
      add(words[i + 1]);
    else if (strcmp(words[i], "note") == 0)
      all += count_words(words[i + 1]);
  }
  if (all != 0)
    printf("%u words of notes\n", all);
  serve();
  return 0;
}
