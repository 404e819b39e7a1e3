// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contacts are copied and the copy is renamed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct contact {
  char *name;
  int age;
};

static struct contact *create(const char *name, int age) {
  struct contact *made = malloc(sizeof *made);
  made->name = malloc(32);
  strcpy(made->name, name);
  made->age = age;
  return made;
}

static struct contact *duplicate(const struct contact *from) {
  struct contact *made = malloc(sizeof *made);
  made->name = malloc(32);
  strcpy(made->name, from->name);
  made->age = from->age;
  return made;
}

static void rename_to(struct contact *contact, const char *name) {
  strncpy(contact->name, name, 31);
  contact->name[31] = 0;
}

static int compare(const void *a, const void *b) {
  const struct contact *const *x = a, *const *y = b;
  return strcmp((*x)->name, (*y)->name);
}

int main(void) {
  struct contact *all[3];
  all[0] = create("Miles", 40);
  all[1] = create("Wayne", 30);
  all[2] = duplicate(all[1]);
  rename_to(all[2], "Herbie");
  all[2]->age = 25;
  qsort(all, 3, sizeof all[0], compare);
  for (int i = 0; i < 3; i++)
    printf("%s %d\n", all[i]->name, all[i]->age);
  return 0;
}
