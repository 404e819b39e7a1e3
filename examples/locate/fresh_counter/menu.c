// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kitchen's menu: "title T" names it, "dish D" adds a dish, "print" prints all. The title may be
// longer than there is room; the loop that uses the pointer behind it is as it should be.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kDishes = 16 };

struct dish {
  int price;
  char name[28];
};

struct menu {
  char title[16];
  struct dish **dishes;
  int count;
};

static struct menu today = {"", NULL, 0};

static void name_it(const char *title) {
  strcpy(today.title, title); // culprit: first corruption
}

static void add(const char *name) {
  struct dish *dish = malloc(sizeof *dish);
  dish->price = 10 + today.count;
  snprintf(dish->name, sizeof dish->name, "%s", name);
  today.dishes[today.count++] = dish;
}

static int total(void) {
  int all = 0;
  for (int i = 0; i < today.count; ++i)
    all += today.dishes[i]->price;
  return all;
}

int main(void) {
  char word[8];
  char rest[64];
  today.dishes = calloc(kDishes, sizeof *today.dishes);
  while (scanf("%7s %63s", word, rest) == 2) {
    if (strcmp(word, "title") == 0)
      name_it(rest);
    else if (strcmp(word, "dish") == 0 && today.count < kDishes)
      add(rest);
    else
      printf("%d for all\n", total());
  }
  return 0;
}
