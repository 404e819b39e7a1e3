// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A store's stock: "in N K" puts K pieces on shelf N, "out N K" takes them. What is wrong is told
// by a function of its own, which gives up. Nothing checks the shelf.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kShelves = 5 };

int pieces[kShelves] = {0};
int broken = 0;
int moves = 0;

static void vdie(const char *format, va_list list) {
  if (moves > 0)
    fprintf(stderr, "after %d moves: ", moves);
  vfprintf(stderr, format, list);
  abort();
}

static void die(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vdie(format, list);
}

static void move(int shelf, int by) {
  pieces[shelf] += by; // culprit: first corruption
  ++moves;
}

static void look_over(void) {
  for (int i = 0; i < kShelves; ++i)
    if (pieces[i] < 0)
      die("shelf %d has %d pieces\n", i, pieces[i]);
  if (moves > 0 && broken != 0)
    die("%d pieces are broken\n", broken);
}

int main(void) {
  char word[8];
  int shelf;
  int count;
  while (scanf("%7s %d %d", word, &shelf, &count) == 3) {
    move(shelf, strcmp(word, "out") == 0 ? -count : count);
    look_over();
  }
  for (int i = 0; i < kShelves; ++i)
    printf("shelf %d: %d\n", i, pieces[i]);
  return 0;
}
