// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every program in this folder needs besides its own algorithm: a seeded random number
// generator, an allocation that cannot fail silently, a checked size argument, and a checksum step.
//
// Rules: everything is `static inline` so that each program stays one translation unit and one
// allocation wrapper of its own; nothing here depends on time, addresses or the locale, and no
// transcendental function is used, so the output is equal for every compiler and optimisation
// level.
#ifndef CULPRIT_BENCH_PROGRAM_H
#define CULPRIT_BENCH_PROGRAM_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Random {
  uint64_t state;
} Random;

// SplitMix64: any seed is good, zero included, and one 64-bit word is the whole state.
static inline uint64_t random_next(Random *random) {
  uint64_t z = (random->state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// 0 <= result < bound. The modulo bias is irrelevant here; equal results everywhere are not.
static inline uint32_t random_below(Random *random, uint32_t bound) {
  return (uint32_t)(random_next(random) % bound);
}

// 0 <= result < 1, a multiple of 2^-53 and therefore exact.
static inline double random_unit(Random *random) {
  return (double)(random_next(random) >> 11) * (1.0 / 9007199254740992.0);
}

static inline void *allocate(size_t size) {
  void *block = malloc(size);
  if (!block) {
    fprintf(stderr, "out of memory\n");
    abort();
  }
  return block;
}

static inline void *allocate_zeroed(size_t count, size_t size) {
  void *block = calloc(count, size);
  if (!block) {
    fprintf(stderr, "out of memory\n");
    abort();
  }
  return block;
}

// Argument number `index` as a positive number, or exit 2 with a usage line.
static inline uint32_t size_argument(int argc, char **argv, int index, const char *usage) {
  char *end = NULL;
  unsigned long value = index < argc ? strtoul(argv[index], &end, 10) : 0;
  if (!end || *end || value == 0 || value > 0x7fffffff) {
    fprintf(stderr, "usage: %s %s\n", argv[0], usage);
    exit(2);
  }
  return (uint32_t)value;
}

static inline uint64_t mix(uint64_t checksum, uint64_t value) {
  checksum = (checksum ^ value) * 0x100000001b3u;
  return checksum ^ (checksum >> 29);
}

#endif
