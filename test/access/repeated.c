// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A condition that is compiled twice, before its loop and in it, and reads a block that the loop
// may give away. With a second argument it does: from then on the condition reads somebody else's
// block.
#include <stdio.h>
#include <stdlib.h>

struct Box {
  long limit;
  long sum;
};

struct Other {
  long first;
  long second;
};

static struct Other *other;

// Frees, but only what it has allocated.
__attribute__((noinline)) static long use_own(long number) {
  long *words = malloc(8 * sizeof *words);
  long sum = 0;
  for (int i = 0; i < 8; i++)
    words[i] = number + i;
  for (int i = 0; i < 8; i++)
    sum += words[i] ^ i;
  free(words);
  return sum;
}

__attribute__((noinline)) static void take(struct Box *box, int is_bad) {
  if (is_bad)
    free(box);
  other = malloc(sizeof *other);
  other->first = 5;
  other->second = 6;
}

__attribute__((noinline)) static long work(struct Box *box, int is_bad) {
  long sum = 0;
  for (long i = 0; i < box->limit; i++) {
    sum += use_own(i);
    if (i == 3)
      take(box, is_bad);
  }
  return sum;
}

int main(int argc, char **argv) {
  struct Box *box = malloc(sizeof *box);
  int is_bad = argc > 2;
  box->limit = atoi(argv[1]);
  box->sum = 0;
  printf("%ld\n", work(box, is_bad));
  if (!is_bad)
    free(box);
  free(other);
  return 0;
}
