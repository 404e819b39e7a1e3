// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list of dishes; the dish of the day is a local variable of the function that adds it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dish {
  const char *name;
  int price;
  struct dish *next;
};

static struct dish *menu;

static void add(const char *name, int price) {
  struct dish *dish = malloc(sizeof *dish);
  *dish = (struct dish){name, price, menu};
  menu = dish;
}

static void add_today(const char *name) {
  struct dish dish = {name, 9, menu};
  menu = &dish; // culprit: first corruption
  printf("today: %s, %zu letters\n", menu->name, strlen(menu->name));
}

static unsigned long fill(unsigned seed) {
  unsigned long numbers[64];
  unsigned long sum = 0;
  for (unsigned i = 0; i < 64; ++i)
    numbers[i] = seed * 2654435761ul + i;
  for (unsigned i = 0; i < 64; ++i)
    sum += numbers[i] ^ numbers[(i * 7) % 64];
  return sum;
}

int main(int argc, char **argv) {
  size_t letters = 0;
  add("soup", 4);
  add("fish", 12);
  if (argc > 1)
    add_today(argv[1]);
  printf("%lu\n", fill((unsigned)argc));
  for (const struct dish *dish = menu; dish; dish = dish->next)
    letters += strlen(dish->name);
  printf("%zu letters\n", letters);
  return 0;
}
