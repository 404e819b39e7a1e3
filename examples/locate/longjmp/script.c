// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a script of statements: "let NAME EXPRESSION", "show NAME". Errors in an expression jump
// back to the loop. Operands are pushed on a fixed stack that is not checked, behind which the
// variables lie.
#include <ctype.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kStack = 8, kVariables = 8 };

struct variable {
  char name;
  long value;
};

long stack[kStack] = {0};
struct variable *variables[kVariables] = {NULL};
static unsigned depth, count, errors;
static jmp_buf again;

static void push(long value) {
  stack[depth++] = value; // culprit: first corruption
}

static long pop(void) {
  if (depth == 0)
    longjmp(again, 1);
  return stack[--depth];
}

static struct variable *find(char name) {
  for (unsigned i = 0; i < count; ++i)
    if (variables[i]->name == name)
      return variables[i];
  return NULL;
}

static long evaluate(const char *text) {
  for (; *text && *text != '\n'; ++text) {
    if (isdigit((unsigned char)*text)) {
      push(*text - '0');
    } else if (*text == '+') {
      long right = pop();
      push(pop() + right);
    } else if (isalpha((unsigned char)*text)) {
      struct variable *variable = find(*text);
      if (!variable)
        longjmp(again, 2);
      push(variable->value);
    }
  }
  return pop();
}

static void let(char name, const char *text) {
  depth = 0;
  long value = evaluate(text);
  struct variable *variable = find(name);
  if (!variable && count < kVariables) {
    variable = variables[count++] = malloc(sizeof *variable);
    variable->name = name;
  }
  if (variable)
    variable->value = value;
}

int main(void) {
  static char line[128];
  int why = setjmp(again);
  if (why) {
    ++errors;
    printf("error %d\n", why);
  }
  while (fgets(line, sizeof line, stdin)) {
    if (strncmp(line, "let ", 4) == 0)
      let(line[4], line + 5);
    else if (strncmp(line, "show ", 5) == 0 && find(line[5]))
      printf("%c = %ld\n", line[5], find(line[5])->value);
  }
  printf("%u variables, %u errors\n", count, errors);
  return 0;
}
