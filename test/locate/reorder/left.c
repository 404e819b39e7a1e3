// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A counter that is local to the function that hands out its address is counted up later. Nothing
// else lies there by then, so nothing comes of it.
#include <stdio.h>

static int *counter;

static void begin(void) {
  int count = 0; // culprit: first corruption
  counter = &count;
}

int main(void) {
  begin();
  *counter = 5;
  puts("counted");
  return 0;
}
