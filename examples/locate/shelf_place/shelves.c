// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts books on shelves: "book WIDTH TITLE", or "book TITLE" of one whose width nobody has
// measured. The width of those is never set; where the next book goes is computed from it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kShelf = 4000 };

struct book {
  int number;
  char title[24];
  int width; // millimetres
};

static char shelf[kShelf];

static struct book *read_book(const char *line, int number) {
  struct book *book = malloc(sizeof *book); // culprit: first corruption
  book->number = number;
  if (sscanf(line, "book %d %23s", &book->width, book->title) != 2)
    sscanf(line, "book %23s", book->title); // culprit: the error
  return book;
}

static int behind(int start, const struct book *book) {
  int rounded = (book->width + 9) / 10 * 10;
  return start + rounded;
}

int main(void) {
  char line[80];
  int next = 0;
  for (int number = 1; fgets(line, sizeof line, stdin); number++) {
    struct book *book = read_book(line, number);
    memset(&shelf[next], number, 1);
    printf("%d: %s at %d\n", book->number, book->title, next);
    next = behind(next, book);
    free(book);
  }
  return 0;
}
