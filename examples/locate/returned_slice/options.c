// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options are cut into slices, a pointer and a length, which a function returns in two registers.
// One without a value has no pointer, though its length is the newer number of the two.
#include <stdio.h>
#include <string.h>

struct slice {
  const char *start;
  long length;
};

static char words[8][32];
static struct slice values[8];
static int count;

__attribute__((noinline)) static const char *value_in(const char *word) {
  const char *at = strchr(word, '=');
  return at && at[1] ? at + 1 : NULL; // culprit: first corruption
}

__attribute__((noinline)) static struct slice value_of(const char *word, long most) {
  struct slice value;
  value.start = value_in(word);
  value.length = (long)strlen(word) + 1 < most ? (long)strlen(word) + 1 : most;
  return value;
}

int main(void) {
  while (count < 8 && scanf("%31s", words[count]) == 1) {
    values[count] = value_of(words[count], 31);
    count++;
  }
  long sum = 0;
  for (int i = 0; i < count; i++)
    sum += values[i].start[0] * values[i].length;
  printf("%ld\n", sum);
}
