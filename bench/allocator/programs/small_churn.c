// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small-object churn: a window of live objects of 8..256 bytes, a random one replaced at every
// step.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state = 88172645463325252u;
static uint64_t next_random(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

int main(int argc, char **argv) {
  long steps = argc > 1 ? atol(argv[1]) : 40000000;
  enum { kWindow = 20000 };
  static char *window[kWindow];
  uint64_t sum = 0;
  for (long i = 0; i < steps; ++i) {
    uint64_t random = next_random();
    size_t place = random % kWindow;
    size_t size = 8 + (random >> 32) % 249;
    if (window[place]) {
      sum += (unsigned char)window[place][0];
      free(window[place]);
    }
    window[place] = malloc(size);
    window[place][0] = (char)i;
    window[place][size - 1] = 1;
  }
  printf("%llu\n", (unsigned long long)sum);
  return 0;
}
