// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps pages of text: "open NAME" makes one current, "close" drops it, "lines COUNT" counts its
// lines, "wide" says how many letters a line has. A page that was closed is current all the same,
// and its lines are cleared.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMostLines = 1000 };

struct page {
  char name[24];
  long letters;
  long lines;
};

static struct page *current;

static void open_page(const char *name) {
  struct page *page = malloc(sizeof *page);
  strncpy(page->name, name, sizeof page->name);
  page->name[sizeof page->name - 1] = '\0';
  page->letters = 2400;
  page->lines = 1;
  current = page;
}

static void close_page(void) {
  current->lines = 0;
  free(current); // culprit: first corruption
}

int main(void) {
  char word[16], name[24];
  while (scanf("%15s", word) == 1) {
    if (!strcmp(word, "open") && scanf("%23s", name) == 1) {
      open_page(name);
    } else if (!strcmp(word, "close")) {
      close_page();
    } else if (!strcmp(word, "lines")) {
      if (scanf("%ld", &current->lines) != 1)
        return 1;
    } else if (!strcmp(word, "wide")) {
      long lines = current->lines;
      if (lines > kMostLines)
        lines = kMostLines;
      printf("%ld letters\n", 2400 / lines);
    }
  }
  return 0;
}
