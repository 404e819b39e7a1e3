// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrong function. A stack machine whose operations are found by their first letter: "mod" gets
// mul's.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long operation(long, long);

static long add(long a, long b) { return a + b; }
static long mul(long a, long b) { return a * b; }
static long mod(long a, long b) { return a % b; }

static const struct {
  const char *name;
  operation *run;
} kOperations[] = {{"add", add}, {"mul", mul}, {"mod", mod}};

struct code {
  operation *run; // NULL: push
  long value;
};

static operation *find(const char *name) {
  for (int i = 0; i < 3; i++)
    if (kOperations[i].name[0] == name[0])
      return kOperations[i].run; // culprit: cause run
  return NULL;
}

static struct code *assemble(int count, char **words) {
  struct code *code = calloc((size_t)count, sizeof *code);
  for (int i = 0; i < count; i++) {
    if (words[i][0] >= '0' && words[i][0] <= '9')
      code[i].value = atol(words[i]);
    else
      code[i].run = find(words[i]);
  }
  return code;
}

static long execute(const struct code *code, int count) {
  long stack[16] = {0};
  int depth = 0;
  for (int i = 0; i < count; i++) {
    if (!code[i].run) {
      stack[depth++] = code[i].value;
      continue;
    }
    long right = stack[--depth];
    stack[depth - 1] = code[i].run(stack[depth - 1], right);
  }
  return stack[0];
}

int main(int argc, char **argv) {
  struct code *code = assemble(argc - 1, argv + 1);
  printf("%ld\n", execute(code, argc - 1));
  free(code);
  return 0;
}
