// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrong pointer. A queue of numbers with a pointer to its last element, which is not moved when
// that element is dropped: what is pushed behind it is lost.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
  int value;
  struct item *next;
};

struct queue {
  struct item *first;
  struct item *last;
  int length;
};

static void push(struct queue *queue, int value) {
  struct item *item = malloc(sizeof *item);
  item->value = value;
  item->next = NULL;
  if (queue->last)
    queue->last->next = item;
  else
    queue->first = item;
  queue->last = item;
  queue->length++;
}

static void drop(struct queue *queue, int value) {
  struct item *before = NULL;
  for (struct item *item = queue->first; item; before = item, item = item->next) {
    if (item->value != value)
      continue;
    if (before)
      before->next = item->next; // culprit: cause next
    else
      queue->first = item->next;
    queue->length--;
    return;
  }
}

static void print(const struct queue *queue) {
  int sum = 0;
  for (const struct item *item = queue->first; item; item = item->next)
    sum += item->value;
  printf("%d in %d\n", sum, queue->length);
}

int main(int argc, char **argv) {
  struct queue queue = {0};
  for (int i = 1; i + 1 < argc; i += 2) {
    int value = atoi(argv[i + 1]);
    if (strcmp(argv[i], "push") == 0)
      push(&queue, value);
    else if (strcmp(argv[i], "drop") == 0)
      drop(&queue, value);
  }
  print(&queue);
  return 0;
}
