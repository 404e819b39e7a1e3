// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library's card file: books with the name of their author. A book by the author of the one
// before it shares the name's block. Cards are thrown away at the end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kBooks = 64 };

struct card {
  char title[32];
  char *author;
};

static struct card cards[kBooks];
static unsigned count;

static void enter(const char *title, const char *author) {
  struct card *card = &cards[count];
  snprintf(card->title, sizeof card->title, "%s", title);
  if (strcmp(author, "ditto") == 0 && count > 0)
    card->author = cards[count - 1].author; // culprit: the error // culprit: also right
  else
    card->author = strdup(author);
  ++count;
}

static void throw_away(struct card *card) {
  free(card->author); // culprit: first corruption
  card->author = NULL;
}

int main(void) {
  char title[32], author[32];
  while (count < kBooks && scanf("%31s %31s", title, author) == 2)
    enter(title, author);
  for (unsigned i = 0; i < count; ++i)
    printf("%s: %s\n", cards[i].author, cards[i].title);
  for (unsigned i = 0; i < count; ++i)
    throw_away(&cards[i]);
  printf("%u cards\n", count);
  return 0;
}
