// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers of 100 KiB to 4 MiB, filled in part, replaced at random; and one array doubled by
// realloc.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Kept apart, so that the compiler cannot see that nobody reads most of it.
__attribute__((noinline)) static void fill(char *array, size_t size, int value) {
  memset(array, value, size);
  __asm__ volatile("" : : "r"(array) : "memory");
}

int main(int argc, char **argv) {
  long steps = argc > 1 ? atol(argv[1]) : 60000;
  enum { kWindow = 32 };
  static char *window[kWindow];
  uint64_t random = 3;
  uint64_t sum = 0;
  for (long i = 0; i < steps; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    size_t place = (random >> 33) % kWindow;
    size_t size = (size_t)100 * 1024 << ((random >> 40) % 6);
    size += (random >> 45) % size / 4;
    free(window[place]);
    window[place] = malloc(size);
    fill(window[place], 16384, (int)i);
    window[place][size - 1] = 1;
    sum += (unsigned char)window[place][100];
  }
  for (int round = 0; round < 20; ++round) {
    size_t capacity = 1024;
    char *array = malloc(capacity);
    while (capacity < ((size_t)32 << 20)) {
      array = realloc(array, capacity * 2);
      fill(array + capacity, capacity, round);
      capacity *= 2;
    }
    sum += (unsigned char)array[capacity / 2];
    free(array);
  }
  printf("%llu\n", (unsigned long long)sum);
  return 0;
}
