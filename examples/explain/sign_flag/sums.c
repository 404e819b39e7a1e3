// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A flag that is not reset. An adding machine; in the newer version the sign of a
// parenthesis is still set for the first number in it.
#include <ctype.h>
#include <stdio.h>

static const char *at;
static int negative;

static long sum(void);

static long number(void) {
  long value = 0;
  while (isdigit((unsigned char)*at))
    value = value * 10 + (*at++ - '0');
  return value;
}

static long factor(void) {
  while (*at == ' ')
    at++;
  if (*at == '-') {
    negative = 1;
    at++;
  }
  if (*at == '(') {
    at++;
    int outer = negative;
    long value = sum(); // culprit: cause negative
    if (*at == ')')
      at++;
    return outer ? -value : value;
  }
  long value = number();
  if (negative) {
    value = -value;
    negative = 0;
  }
  return value;
}

static long sum(void) {
  long total = factor();
  for (;;) {
    while (*at == ' ')
      at++;
    if (*at != '+')
      return total;
    at++;
    total += factor();
  }
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  at = argv[1];
  printf("%ld\n", sum());
  return 0;
}
