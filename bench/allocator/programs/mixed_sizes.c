// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes over five decades, small ones the most frequent, lifetimes from a moment to the whole run;
// some calloc.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  long steps = argc > 1 ? atol(argv[1]) : 12000000;
  enum { kWindow = 1 << 15 };
  static char *window[kWindow];
  uint64_t random = 7;
  uint64_t sum = 0;
  for (long i = 0; i < steps; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    // Low places are replaced often, high ones seldom.
    size_t place = (random >> 32) % kWindow;
    place = place * ((random >> 12) % kWindow) / kWindow;
    unsigned bits = 4 + (unsigned)((random >> 56) % 4) + (unsigned)((random >> 50) % 4);
    if (((random >> 40) & 255) == 0)
      bits += 5;
    size_t size = ((size_t)1 << bits) + (random >> 20) % ((size_t)1 << bits);
    if (window[place]) {
      sum += (unsigned char)*window[place];
      free(window[place]);
    }
    window[place] = (random & 7) ? malloc(size) : calloc(1, size);
    window[place][0] = (char)size;
    window[place][size / 2] = 1;
  }
  printf("%llu\n", (unsigned long long)sum);
  return 0;
}
