// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrong field. Boxes are put on shelves from the left; a shelf is as high as its highest box. The
// older version: as it was.
#include <stdio.h>
#include <stdlib.h>

struct box {
  int width, height;
  int x, y;
};

struct shelf {
  int used;
  int height;
  struct shelf *below;
};

enum { ROOM = 100 };

static struct shelf *add_shelf(struct shelf *below) {
  struct shelf *shelf = calloc(1, sizeof *shelf);
  shelf->below = below;
  return shelf;
}

static int base_of(const struct shelf *shelf) {
  int base = 0;
  for (const struct shelf *each = shelf->below; each; each = each->below)
    base += each->height;
  return base;
}

static struct shelf *place(struct box *box, struct shelf *shelf) {
  if (shelf->used + box->width > ROOM)
    shelf = add_shelf(shelf);
  box->x = shelf->used;
  box->y = base_of(shelf);
  shelf->used += box->width;
  if (box->height > shelf->height)
    shelf->height = box->height;
  return shelf;
}

int main(void) {
  static struct box boxes[] = {
      {40, 30, 0, 0}, {50, 20, 0, 0}, {70, 10, 0, 0}, {20, 45, 0, 0}, {90, 5, 0, 0}};
  struct shelf *shelf = add_shelf(NULL);
  int count = sizeof boxes / sizeof boxes[0];
  for (int i = 0; i < count; i++)
    shelf = place(&boxes[i], shelf);
  int area = 0;
  for (int i = 0; i < count; i++)
    if (boxes[i].y + boxes[i].height > area)
      area = boxes[i].y + boxes[i].height;
  printf("height %d\n", area);
  return 0;
}
