// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The label of a shelf is printed into its place in a global structure, and a long one runs over
// the names that come behind it there.
#include <stdio.h>
#include <string.h>

struct book {
  char title[16];
  const char *owner;
  int pages;
};

static struct shelf {
  int used;
  struct book books[4];
  char label[12];
  const char *room;
} shelf = {.label = "none", .room = "hall"};

static void put_label(const char *floor, int number) {
  sprintf(shelf.label, "%s/%d", floor, number); // culprit: first corruption
}

static void put_book(const char *title, int pages) {
  if (shelf.used == 4)
    return;
  struct book *book = &shelf.books[shelf.used++];
  book->owner = "nobody";
  book->pages = pages;
  snprintf(book->title, sizeof book->title, "%s", title);
}

static void list(void) {
  printf("%s, %s:\n", shelf.label, shelf.room);
  for (int i = 0; i < shelf.used; i++)
    printf("%-16s %4d %s\n", shelf.books[i].title, shelf.books[i].pages, shelf.books[i].owner);
}

int main(int argc, char **argv) {
  char line[64];
  while (fgets(line, sizeof line, stdin)) {
    char word[40];
    int number;
    if (sscanf(line, "label %39s %d", word, &number) == 2)
      put_label(word, number);
    else if (sscanf(line, "book %39s %d", word, &number) == 2)
      put_book(word, number);
    else
      list();
  }
  return argc > 1 && argv[1][0] == '-';
}
