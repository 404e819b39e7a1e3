// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A banner of title, version and place, printed into a buffer that was large enough for years.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char banner[32] = "none";
const char *format = "plain";
unsigned shown = 0;

static void make(const char *title, int version, const char *place) {
  sprintf(banner, "%s %d at %s", title, version, place); // culprit: first corruption
}

static void show(void) {
  printf("%s: %s\n", format, banner);
  ++shown;
}

int main(int argc, char **argv) {
  make(argc > 1 ? argv[1] : "server", 12, argc > 2 ? argv[2] : "home");
  show();
  printf("%u shown\n", shown);
  return 0;
}
