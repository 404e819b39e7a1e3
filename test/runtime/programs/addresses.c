// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the addresses of a fixed sequence of calls: the same in every run.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  void *blocks[300];
  unsigned random = 1;
  for (int i = 0; i < 300; ++i)
    blocks[i] = malloc(16);
  for (int i = 0; i < 20000; ++i) {
    random = random * 1664525 + 1013904223;
    unsigned place = (random >> 8) % 300;
    free(blocks[place]);
    blocks[place] = malloc(random >> (i % 100 ? 22 : 12));
    if (i % 500 == 0)
      printf("%p\n", blocks[place]);
  }
  return 0;
}
