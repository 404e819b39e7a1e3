// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A global buffer, and no address variable but a local one.
#include <stdio.h>
#include <string.h>

unsigned char key[16] = "";
unsigned rounds = 0, spare = 0;

int main(int argc, char **argv) {
  const char *at = argv[0];
  memset(key, 0xfd, (size_t)argc + 23); // culprit: first corruption
  for (; *at; ++at)
    spare += *at == '/';
  printf("%d %d\n", spare > 0, key[3]);
  return rounds == 77;
}
