// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shares the costs of journeys: "journey NAME COST" begins one, "with COUNT" says how many went
// along. Without that the count is what malloc gave: often 0.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct journey {
  char name[16];
  int cost;
  int people;
  struct journey *next;
};

static struct journey *begin(const char *name, int cost, struct journey *next) {
  struct journey *journey = malloc(sizeof *journey); // culprit: first corruption
  strncpy(journey->name, name, sizeof journey->name);
  journey->name[sizeof journey->name - 1] = '\0';
  journey->cost = cost;
  journey->next = next;
  return journey;
}

static int each(const struct journey *journey) {
  int people = journey->people;
  int paying = people * 2 - people / 2;
  return journey->cost / paying;
}

int main(void) {
  struct journey *last = NULL;
  char word[16], name[16];
  int number;
  while (scanf("%15s", word) == 1) {
    if (!strcmp(word, "journey") && scanf("%15s %d", name, &number) == 2)
      last = begin(name, number, last);
    else if (!strcmp(word, "with") && last != NULL && scanf("%d", &number) == 1)
      last->people = number;
  }
  for (struct journey *journey = last; journey != NULL; journey = journey->next) {
    int share = each(journey);
    printf("%s: %d\n", journey->name, share);
  }
  while (last != NULL) {
    struct journey *next = last->next;
    free(last);
    last = next;
  }
  return 0;
}
