// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of local variables that are passed on, kept while they may be, and given up in time: in
// recursion, over longjmp, and from a function called many times.
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

struct level {
  const struct level *outer;
  int number;
  char name[16];
};

static const struct level *innermost;
static jmp_buf back;

static int depth_of(const struct level *level) {
  int depth = 0;
  for (; level; level = level->outer)
    depth += level->number != 0;
  return depth;
}

static int descend(int number) {
  struct level level = {innermost, number, {0}};
  snprintf(level.name, sizeof level.name, "%d", number);
  innermost = &level;
  int found = number == 0 ? depth_of(&level) : descend(number - 1);
  innermost = level.outer;
  return found + (level.name[0] == '0');
}

static void jump(int depth) {
  int here[4] = {depth, depth, depth, depth};
  const int *first = here;
  if (depth == 0)
    longjmp(back, first[2] + 1);
  jump(first[3] - 1);
}

static size_t length_of(const char *text) {
  char copy[600];
  strncpy(copy, text, sizeof copy - 1);
  copy[sizeof copy - 1] = 0;
  return strlen(copy);
}

int main(void) {
  size_t sum = 0;
  for (int i = 0; i < 20000; ++i)
    sum += length_of("seven u");
  if (setjmp(back) == 0)
    jump(20);
  printf("%d %zu\n", descend(12), sum);
  return descend(3) == 4 && innermost == NULL ? 0 : 1;
}
