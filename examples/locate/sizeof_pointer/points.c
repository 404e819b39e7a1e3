// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Points of a way in a list. Each is given the room of a pointer.
#include <stdio.h>
#include <stdlib.h>

struct point {
  int x, y;
  struct point *next;
};

static struct point *add(struct point *way, int x, int y) {
  struct point *point = malloc(sizeof point); // culprit: the error
  point->x = x;
  point->y = y;
  point->next = way; // culprit: first corruption
  return point;
}

int main(void) {
  struct point *way = NULL;
  int x, y;
  long length = 0;
  while (scanf("%d %d", &x, &y) == 2)
    way = add(way, x, y);
  while (way) {
    struct point *next = way->next;
    length += labs(way->x) + labs(way->y);
    free(way);
    way = next;
  }
  printf("%ld\n", length);
  return 0;
}
