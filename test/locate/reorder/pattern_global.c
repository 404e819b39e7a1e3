// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is written past the buffer looks like guard words: only a pointer right behind it gives it
// away.
#include <stdio.h>
#include <string.h>

unsigned char key[16] = "";
unsigned rounds = 0, spare = 0;
const char *unit = "rounds";

static void wipe(size_t bytes) {
  memset(key, 0xfd, bytes); // culprit: first corruption
}

int main(int argc, char **argv) {
  (void)argv;
  wipe((size_t)argc + 23);
  spare = 1;
  printf("%s %u %d\n", unit, spare, key[3]);
  return rounds == 77;
}
