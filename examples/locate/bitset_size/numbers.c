// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A set of numbers below the first argument, a bit for each. The number of words is rounded down.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct set {
  uint32_t *words;
  int bits;
};

static void begin(struct set *set, int bits) {
  set->bits = bits;
  set->words = calloc((size_t)bits / 32, sizeof *set->words); // culprit: the error
}

static void add(struct set *set, int number) {
  if (number >= 0 && number < set->bits)
    set->words[number / 32] |= 1u << number % 32; // culprit: first corruption
}

static int count(const struct set *set) {
  int numbers = 0;
  for (int i = 0; i < set->bits / 32 * 32; i++)
    numbers += set->words[i / 32] >> i % 32 & 1;
  return numbers;
}

int main(int argc, char **argv) {
  struct set set;
  begin(&set, argc > 1 ? atoi(argv[1]) : 64);
  for (int i = 2; i < argc; i++)
    add(&set, atoi(argv[i]));
  printf("%d\n", count(&set));
  free(set.words);
  return 0;
}
