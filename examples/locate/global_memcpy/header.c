// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages of a length and a body, taken from one buffer to the next. The length of the source is
// copied, not that of the target.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char packet[64] = "";
char header[16] = "none";
const char *sender = "nobody";

static void take(void) {
  memcpy(header, packet, strlen(packet) + 1); // culprit: first corruption
}

int main(void) {
  size_t letters = 0;
  while (fgets(packet, sizeof packet, stdin)) {
    packet[strcspn(packet, "\n")] = '\0';
    take();
    letters += strlen(sender) + strlen(header);
  }
  printf("%zu letters\n", letters);
  return 0;
}
