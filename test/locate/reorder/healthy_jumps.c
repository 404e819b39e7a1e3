// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No error: longjmp over frames with buffers, arrays of variable length, structures by value,
// sorting.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf back;
static char log_text[64];
static int numbers[8] = {5, 3, 8, 1, 9, 2, 7, 4};
struct box {
  char name[24];
  int *at;
};

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int open_box(struct box box, int count) {
  char copy[count + 1];
  memcpy(copy, box.name, (size_t)count);
  copy[count] = '\0';
  snprintf(log_text, sizeof log_text, "%s %d", copy, *box.at);
  if (count > 3)
    longjmp(back, count);
  return (int)strlen(copy);
}

int main(void) {
  struct box box = {"a box", &numbers[2]};
  volatile int sum = 0;
  int jumped = setjmp(back);
  if (jumped == 0)
    for (int i = 1; i < 6; ++i)
      sum += open_box(box, i);
  qsort(numbers, 8, sizeof numbers[0], by_value);
  printf("%d %d %s %d\n", sum, jumped, log_text, numbers[0]);
  exit(0);
}
