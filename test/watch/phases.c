/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * A doubly linked list that is built well, then badly, and waits in between: `phases train COUNT`
 * does not wait and does nothing bad; `phases live COUNT GATES` waits for the files 1 and 2 of the
 * folder GATES to appear. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct item {
  struct item *next, *previous;
  long number;
};
static struct item *head;
static int forgets;

static __attribute__((noinline)) void insert_item(long number) {
  struct item *item = calloc(1, sizeof *item);
  item->number = number;
  item->next = head;
  if (head && !(forgets && number % 3))
    head->previous = item;
  head = item;
}

static __attribute__((noinline)) void drop_item(void) {
  struct item *next = head->next;
  if (next)
    next->previous = NULL;
  free(head);
  head = next;
}

static void wait_at(const char *gates, int number) {
  char gate[4096];
  snprintf(gate, sizeof gate, "%s/%d", gates, number);
  while (access(gate, F_OK) != 0)
    usleep(20000);
}

static void work(long from, long to) {
  for (long i = from; i < to; ++i) {
    insert_item(i);
    drop_item();
    if (i % 20 == 0)
      insert_item(i);
  }
}

int main(int argc, char **argv) {
  long count = argc > 2 ? atol(argv[2]) : 0;
  int live = argc > 3 && !strcmp(argv[1], "live");
  for (long i = 0; i < count; ++i)
    insert_item(i);
  work(0, count * 8);
  if (live) {
    wait_at(argv[3], 1);
    forgets = 1;
  }
  work(count * 8, count * 20);
  if (live)
    wait_at(argv[3], 2);
  return 0;
}
