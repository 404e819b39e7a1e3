// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A phone book: "add NAME NUMBER", "call NAME" and "move NAME NUMBER" from standard input. Somebody
// who is not in the book is nobody, which `move` does not expect.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  struct entry *next;
  char name[24];
  long number;
  unsigned calls;
};

static struct entry *book;

static struct entry *find(const char *name) {
  for (struct entry *entry = book; entry; entry = entry->next)
    if (strcmp(entry->name, name) == 0)
      return entry;
  return NULL; // culprit: first corruption
}

static void add(const char *name, long number) {
  struct entry *entry = calloc(1, sizeof *entry);
  snprintf(entry->name, sizeof entry->name, "%s", name);
  entry->number = number;
  entry->next = book;
  book = entry;
}

static void call(const char *name) {
  struct entry *entry = find(name);
  if (!entry)
    printf("%s is not in the book\n", name);
  else
    printf("calling %ld, the %uth time\n", entry->number, ++entry->calls);
}

static void move(const char *name, long number) {
  struct entry *entry = find(name);
  entry->number = number; // culprit: the error
}

int main(void) {
  char line[128], verb[16], name[64];
  while (fgets(line, sizeof line, stdin)) {
    long number = 0;
    if (sscanf(line, "%15s %63s %ld", verb, name, &number) < 2)
      continue;
    if (strcmp(verb, "add") == 0)
      add(name, number);
    else if (strcmp(verb, "call") == 0)
      call(name);
    else if (strcmp(verb, "move") == 0)
      move(name, number);
  }
  return 0;
}
