// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The selected row is remembered by its position, and rows move up when one before it is
// removed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
  char *name;
  int amount;
};

static struct row *rows;
static int used, room;
static int selected = -1;

static void add(const char *name, int amount) {
  if (used == room) {
    room = room ? room * 2 : 4;
    rows = realloc(rows, (size_t)room * sizeof *rows);
  }
  rows[used].name = strdup(name);
  rows[used].amount = amount;
  used++;
}

static int find(const char *name) {
  for (int i = 0; i < used; i++)
    if (strcmp(rows[i].name, name) == 0)
      return i;
  return -1;
}

static void erase(const char *name) {
  int at = find(name);
  if (at < 0)
    return;
  free(rows[at].name);
  for (int i = at; i + 1 < used; i++)
    rows[i] = rows[i + 1];
  used--;
  if (selected > at)
    selected--;
  rows[used].name = NULL;
}

static void show(void) {
  if (selected < 0)
    return;
  const struct row *row = &rows[selected];
  printf("%zu letters, %d\n", strlen(row->name), row->amount);
}

int main(void) {
  char word[16], name[16];
  int amount;
  while (scanf("%15s %15s", word, name) == 2) {
    if (strcmp(word, "add") == 0 && scanf("%d", &amount) == 1)
      add(name, amount);
    else if (strcmp(word, "select") == 0)
      selected = find(name);
    else if (strcmp(word, "erase") == 0)
      erase(name);
  }
  show();
  return 0;
}
