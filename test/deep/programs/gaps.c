// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of every size between others of the same size, or of other sizes that take the same room:
// what is in them, 16 bytes behind them and 8 bytes before them is written, with what is there
// already.
#include <stddef.h>
#include <stdlib.h>

#define APART __attribute__((noinline, noclone))

enum { kBehind = 16, kBefore = 8 };

APART static char *mine(size_t size) {
  char *block = malloc(size);
  __asm__ volatile("" : "+r"(block));
  return block;
}

APART static char *others(size_t size) {
  char *block = malloc(size);
  __asm__ volatile("" : "+r"(block));
  return block;
}

APART static void write_inside(volatile char *start, size_t size) {
  for (size_t i = 0; i < size; ++i)
    start[i] = 1;
}

APART static void write_behind(volatile char *end) {
  for (int i = 0; i < kBehind; ++i)
    end[i] = end[i];
}

APART static void write_before(volatile char *start) {
  for (int i = 1; i <= kBefore; ++i)
    start[-i] = start[-i];
}

static void write_all(char *block, size_t size) {
  write_inside(block, size);
  write_behind(block + size);
  write_before(block);
}

int main(void) {
  for (size_t size = 0; size < 600; ++size)
    for (size_t more = 0; more < 16; more += 5) {
      char *left = others(size + more);
      char *right = NULL;
      for (int again = 0; again < 2; ++again) { // all of mine come from one place
        char *middle = mine(size);
        free(right);
        right = others(size + 15 - more);
        write_all(middle, size);
        free(left); // and another comes to lie there
        left = others(size);
        write_all(middle, size);
        free(middle);
      }
      free(right);
      free(left);
    }
  return 0;
}
