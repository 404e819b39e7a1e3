// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Settings are read, sorted by name and printed in columns. One that has no value keeps NULL in its
// place, and qsort has moved it from where it was put by the time somebody looks for its end; or it
// is a name that is compared.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting {
  char *name;
  char *value;
};

struct list {
  struct setting *all;
  int count, room;
};

static void push(struct list *list, char *name, char *value) {
  if (list->count == list->room) {
    list->room = list->room ? list->room * 2 : 2;
    list->all = realloc(list->all, list->room * sizeof *list->all);
  }
  list->all[list->count].name = name;
  list->all[list->count].value = value;
  list->count++;
}

// What stands behind the first separator; the text ends there.
static char *split(char *text, char separator) {
  char *at = strchr(text, separator); // culprit: first corruption
  if (at)
    *at++ = 0;
  return at;
}

static int by_name(const void *a, const void *b) {
  const struct setting *one = a, *other = b;
  return strcmp(one->name, other->name);
}

static int by_value(const void *a, const void *b) {
  const struct setting *one = a, *other = b;
  return strcmp(one->value, other->value);
}

static int longest(const struct list *list) {
  int longest = 0;
  for (int i = 0; i < list->count; i++) {
    int length = 0;
    while (list->all[i].value[length])
      length++;
    if (length > longest)
      longest = length;
  }
  return longest;
}

int main(int argc, char **argv) {
  char line[200];
  struct list list = {0};
  while (fgets(line, sizeof line, stdin)) {
    char *text = strdup(line);
    text[strcspn(text, "\n")] = 0;
    char *value = split(text, '=');
    push(&list, text, value);
  }
  int is_by_value = argc > 1 && !strcmp(argv[1], "values");
  qsort(list.all, list.count, sizeof *list.all, is_by_value ? by_value : by_name);
  int width = longest(&list);
  for (int i = 0; i < list.count; i++)
    printf("%*s  %s\n", width, list.all[i].value, list.all[i].name);
}
