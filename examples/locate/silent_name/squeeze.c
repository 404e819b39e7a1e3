// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Squeezes repeated letters out of files named in the arguments, in gzip's way: the name is copied
// into a global buffer, and what lies behind it is not used again before the end.
#include <stdio.h>
#include <string.h>

enum { kName = 40, kBlock = 512 };

int quiet = 0;
unsigned long in_bytes = 0, out_bytes = 0;
char name[kName] = "";
char block[kBlock] = "";
int level = 6;

static void squeeze(const char *text) {
  size_t used = 0;
  for (; *text && used < kBlock - 1; ++text, ++in_bytes)
    if (used == 0 || block[used - 1] != *text)
      block[used++] = *text;
  block[used] = '\0';
  out_bytes += used;
}

static int treat(const char *file) {
  squeeze(file);
  if (!quiet)
    printf("%s\n", block);
  strcpy(name, file); // culprit: first corruption
  return (int)strlen(name) % 2;
}

int main(int argc, char **argv) {
  int odd = 0;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "-q") == 0)
      quiet = 1;
    else
      odd += treat(argv[i]);
  }
  printf("level %d: %lu in, %lu out, %d odd\n", level, in_bytes, out_bytes, odd);
  return 0;
}
