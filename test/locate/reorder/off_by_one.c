// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The terminating zero falls behind a local array, into what alignment leaves unused.
#include <stdio.h>
#include <string.h>

static size_t greet(const char *name) {
  char copy[18];
  char *end = copy + strlen(name);
  for (char *at = copy; at <= end; ++at)
    *at = name[at - copy]; // culprit: first corruption
  return strlen(copy) + (size_t)(end - copy);
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "eighteen letters!!";
  printf("%zu\n", greet(name));
  return 0;
}
