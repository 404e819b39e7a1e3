/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ten million blocks that live at once, made in a recursion over loops, so that every block has an
 * index of its own: how much memory do they take? Prints a checksum. */
#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node *next;
  long value;
};

static struct node *all;
static long made;

static void add(long value) {
  struct node *node = malloc(sizeof *node);
  if (!node)
    exit(1);
  node->next = all;
  node->value = value;
  all = node;
  made++;
}

static void fill(int depth, long wanted) {
  if (depth > 0) {
    fill(depth - 1, wanted / 2);
    fill(depth - 1, wanted - wanted / 2);
    return;
  }
  for (long i = 0; i < wanted; i++)
    add(i);
}

int main(int argc, char **argv) {
  long wanted = argc > 1 ? atol(argv[1]) : 10000000;
  fill(6, wanted);
  unsigned long sum = 0;
  for (struct node *node = all; node; node = node->next)
    sum = sum * 31 + (unsigned long)node->value;
  printf("%ld blocks, %lu\n", made, sum);
  return 0;
}
