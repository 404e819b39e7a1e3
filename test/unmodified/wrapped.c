// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two kinds of nodes, all from one wrapper around malloc, built by gcc -O2 without frame pointers.
// With "bad" the nodes of one kind lack their second pointer.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct red {
  struct red *next, *previous;
  long value;
};
struct blue {
  struct blue *next;
  long value[5];
};

__attribute__((noinline)) static void *xmalloc(size_t size) {
  void *block = malloc(size);
  if (!block) {
    fputs("no memory\n", stderr);
    exit(1);
  }
  return block;
}

__attribute__((noinline)) static struct red *add_red(struct red *first, int bad) {
  struct red *made = xmalloc(sizeof *made);
  made->next = first;
  made->previous = NULL;
  if (first && !bad)
    first->previous = made;
  return made;
}

__attribute__((noinline)) static struct blue *add_blue(struct blue *first) {
  struct blue *made = xmalloc(sizeof *made);
  made->next = first;
  return made;
}

int main(int count, char **arguments) {
  if (count < 3)
    return 2;
  int nodes = atoi(arguments[1]);
  int bad = strcmp(arguments[2], "bad") == 0;
  struct red *reds = NULL;
  struct blue *blues = NULL;
  long kept = 0;
  for (int i = 0; i < nodes; i++) {
    reds = add_red(reds, bad);
    reds->value = i;
    blues = add_blue(blues);
    blues->value[0] = i;
    char *line = xmalloc(40); // comes and goes
    kept += snprintf(line, 40, "%d", i);
    free(line);
  }
  for (struct red *at = reds; at; at = at->next)
    kept += at->value;
  printf("%ld %ld\n", kept, blues ? blues->value[0] : 0);
  return 0;
}
