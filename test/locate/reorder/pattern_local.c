// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same in a frame: the pointer beside the buffer would be a register.
#include <stdio.h>
#include <string.h>

static int wipe(const char *text, size_t bytes) {
  const char *at = text;
  int counts[8] = {0};
  unsigned char key[16] = "";
  memset(key, 0xfd, bytes); // culprit: first corruption
  while (*at == 'x')
    ++at;
  return (int)(at - text) + key[5] + counts[7];
}

int main(int argc, char **argv) {
  (void)argv;
  printf("%d\n", wipe("xxx", (size_t)argc + 23));
  return 0;
}
