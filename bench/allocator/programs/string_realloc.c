// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strings that grow by realloc, a few bytes at a time, many alive at once, of very different final
// lengths.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  long steps = argc > 1 ? atol(argv[1]) : 12000000;
  enum { kStrings = 1000 };
  static char *strings[kStrings];
  static size_t lengths[kStrings];
  uint64_t random = 1;
  uint64_t total = 0;
  for (long i = 0; i < steps; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    size_t place = (random >> 33) % kStrings;
    size_t more = 8 + (random >> 50) % 57;
    if (lengths[place] > (place % 10 ? 2000u : 60000u)) {
      total += lengths[place];
      free(strings[place]);
      strings[place] = NULL;
      lengths[place] = 0;
    }
    strings[place] = realloc(strings[place], lengths[place] + more + 1);
    memset(strings[place] + lengths[place], 'x', more);
    lengths[place] += more;
    strings[place][lengths[place]] = 0;
  }
  printf("%llu\n", (unsigned long long)total);
  return 0;
}
