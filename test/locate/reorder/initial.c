// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of variables in the initial values of others: tables of buffers, one too small.
#include <stdio.h>
#include <string.h>

static char small[8] = "s";
static char large[64] = "l";
static char *const kBuffers[] = {small, large, large + 32};
static char **cursor = (char **)&kBuffers[0];
static int used[3] = {0, 0, 0};

static void put(int which, const char *text) {
  strcpy(cursor[which], text); // culprit: first corruption
  ++used[which];
}

int main(int argc, char **argv) {
  put(1, "a text that is long");
  put(2, "another");
  put(0, argc > 1 ? argv[1] : "ten chars.");
  printf("%.4s %s %d\n", small, large, used[0] + used[1] + used[2]);
  return 0;
}
