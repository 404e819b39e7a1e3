// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executes itself as often as its argument says, then ends with status 5.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int left = argc > 1 ? atoi(argv[1]) : 0;
  if (!left)
    return 5;
  char text[16];
  snprintf(text, sizeof text, "%d", left - 1);
  execl("/proc/self/exe", argv[0], text, (char *)NULL);
  return 1;
}
