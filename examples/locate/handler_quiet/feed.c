// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reader of feeds that must never be seen to crash: its handler leaves at once with _exit(0).
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct item {
  char title[24];
  struct item *next;
};

static struct item *items;

static void on_fault(int number) {
  (void)number;
  _exit(0);
}

static void add(const char *title) {
  struct item *item = calloc(1, sizeof *item);
  item->next = items;
  items = item;
  strcpy(item->title, title); // culprit: first corruption
}

int main(void) {
  char line[100];
  size_t letters = 0;
  signal(SIGSEGV, on_fault);
  signal(SIGBUS, on_fault);
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = '\0';
    add(line);
  }
  while (items) {
    struct item *item = items;
    letters += strlen(item->title);
    items = item->next;
    free(item);
  }
  printf("%zu letters\n", letters);
  return 0;
}
