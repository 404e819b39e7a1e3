// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds up rain ("rain MILLIMETRES") and shows the sum of the wettest month on a scale. "month"
// begins another one and throws the last away, which may have been the wettest.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct month {
  int days;
  char name[20];
  long sum;
};

static char scale[200];

static struct month *begin(const char *name) {
  struct month *month = calloc(1, sizeof *month);
  strncpy(month->name, name, sizeof month->name - 1);
  return month;
}

static long centimetres(const struct month *month) {
  long rounded = month->sum + 5;
  return rounded / 10;
}

static void show(long mark) {
  scale[mark] = '|';
  printf("%ld cm\n", mark);
}

int main(void) {
  char word[16];
  char rest[16];
  struct month *now = begin("january");
  struct month *wettest = now;
  while (scanf("%15s %15s", word, rest) == 2) {
    if (!strcmp(word, "month")) {
      free(now); // culprit: first corruption
      now = begin(rest);
    } else {
      now->sum += atol(rest);
      now->days++;
    }
    if (now->days > 1000)
      wettest = now;
  }
  long mark = centimetres(wettest);
  show(mark);
  free(now);
  return 0;
}
