// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A menu: "dish NAME PRICE", "of NAME" (the dish is a variant of this one), "order NAME". A variant
// costs what its base costs and one more. Whether a dish is a variant is not set for most of them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dish {
  char name[24];
  int price;
  struct dish *base;
  struct dish *next;
};

static struct dish *menu;

static struct dish *find(const char *name) {
  for (struct dish *dish = menu; dish; dish = dish->next)
    if (strcmp(dish->name, name) == 0)
      return dish;
  return NULL;
}

static void enter(const char *name, int price) {
  struct dish *dish = malloc(sizeof *dish); // culprit: first corruption
  snprintf(dish->name, sizeof dish->name, "%s", name);
  dish->price = price;
  dish->next = menu;
  menu = dish;
}

static int price_of(const struct dish *dish) {
  const struct dish *base = dish->base; // culprit: also right
  return base ? 1 + price_of(base) : dish->price;
}

// The menu of yesterday is read and forgotten.
static void read_old(int lines) {
  char **old = malloc((size_t)lines * sizeof *old);
  for (int i = 0; i < lines; ++i) {
    old[i] = malloc(sizeof(struct dish));
    memset(old[i], 'x', sizeof(struct dish));
  }
  for (int i = 0; i < lines; ++i)
    free(old[i]);
  free(old);
}

int main(void) {
  char line[128], name[64];
  int number = 0;
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "dish %63s %d", name, &number) == 2)
      enter(name, number);
    else if (sscanf(line, "of %63s", name) == 1 && menu)
      menu->base = find(name);
    else if (sscanf(line, "old %d", &number) == 1 && number > 0)
      read_old(number);
    else if (sscanf(line, "order %63s", name) == 1 && find(name))
      printf("%s: %d\n", name, price_of(find(name)));
  }
  return 0;
}
