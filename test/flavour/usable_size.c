// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a flavour that watches accesses a block is as large as it was asked for: what a program may
// write because malloc_usable_size says so is no access behind the block. Elsewhere it has its
// slack.

// RUN: culprit cc -O2 %s -o %t && %t 1
// RUN: culprit run -q --flavour access -- %t 0 | FileCheck %s
// RUN: culprit run -q --flavour both-reads -- %t 0 | FileCheck %s
// RUN: culprit run -q --flavour monitor -- %t 1

// CHECK: 1 37 100 5000 300000 61

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  static const size_t sizes[] = {1, 37, 100, 5000, 300000};
  int more = argc > 1 && atoi(argv[1]);
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    char *block = malloc(sizes[i]);
    size_t usable = malloc_usable_size(block);
    if (usable < sizes[i] || (more && sizes[i] == 37 && usable == 37))
      return 1;
    for (size_t at = 0; at < usable; ++at)
      block[at] = 1;
    printf("%zu ", usable);
    free(block);
  }
  char *again = realloc(malloc(60), 61);
  printf("%zu\n", malloc_usable_size(again));
  free(again);
  return 0;
}
