// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No error: tables of pointers to tables, functions through pointers, recursion with buffers.
#include <stdio.h>
#include <string.h>

static int depth;
static char names[4][8] = {"a", "b", "c", "d"};
static char *by_rank[] = {names[3], names[1], names[0], names[2]};
static char **first = &by_rank[0], **last = by_rank + 3;
static int twice(int n) { return 2 * n; }
static int (*const kSteps[])(int) = {twice, NULL};
struct link {
  struct link *next;
  int *count;
};
static struct link one, two = {&one, &depth}, one = {&two, &depth};

static size_t walk(const char *text, int level) {
  char copy[32];
  const char *at = copy;
  snprintf(copy, sizeof copy, "%s%d", text, level);
  ++*one.next->count;
  return level == 0 ? strlen(at) : strlen(at) + walk(copy + 1, level - 1);
}

int main(void) {
  size_t sum = walk("begin", 40);
  for (char **at = first; at <= last; ++at)
    sum += strlen(*at);
  printf("%zu %d %d %s\n", sum, depth, kSteps[0](21), by_rank[2]);
  return sum == 0;
}
