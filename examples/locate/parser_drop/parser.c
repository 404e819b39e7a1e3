// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A parser leaves by longjmp when the input is wrong, and frees its nodes before. The last one is
// evaluated all the same: it is only read, and what freed memory holds is no operator.
#include <ctype.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  char operation;
  long value;
  struct node *left;
  struct node *right;
};

struct parser {
  const char *at;
  jmp_buf failed;
  struct node *nodes[64];
  int count;
  struct node *last;
};

static struct node *make(struct parser *parser, char operation, long value, struct node *left,
                         struct node *right) {
  struct node *node = malloc(sizeof *node);
  node->operation = operation;
  node->value = value;
  node->left = left;
  node->right = right;
  parser->nodes[parser->count++] = node;
  return parser->last = node;
}

static void drop(struct parser *parser) {
  for (int i = 0; i < parser->count; i++)
    free(parser->nodes[i]); // culprit: first corruption
  parser->count = 0;
}

static void fail(struct parser *parser, int why) {
  drop(parser);
  longjmp(parser->failed, why);
}

static struct node *sum(struct parser *parser);

static struct node *atom(struct parser *parser) {
  if (*parser->at == '(') {
    parser->at++;
    struct node *node = sum(parser);
    if (*parser->at != ')')
      fail(parser, 2);
    parser->at++;
    return node;
  }
  if (!isdigit((unsigned char)*parser->at))
    fail(parser, 1);
  long value = 0;
  while (isdigit((unsigned char)*parser->at))
    value = value * 10 + (*parser->at++ - '0');
  return make(parser, 'n', value, NULL, NULL);
}

static struct node *product(struct parser *parser) {
  struct node *node = atom(parser);
  while (*parser->at == '*') {
    parser->at++;
    node = make(parser, '*', 0, node, atom(parser));
  }
  return node;
}

static struct node *sum(struct parser *parser) {
  struct node *node = product(parser);
  while (*parser->at == '+') {
    parser->at++;
    node = make(parser, '+', 0, node, product(parser));
  }
  return node;
}

static long evaluate(const struct node *node) {
  switch (node->operation) {
  case 'n':
    return node->value;
  case '*':
    return evaluate(node->left) * evaluate(node->right);
  case '+':
    return evaluate(node->left) + evaluate(node->right);
  default:
    return 0;
  }
}

int main(int argc, char **argv) {
  static struct parser parser;
  for (int i = 1; i < argc; i++) {
    parser.at = argv[i];
    parser.count = 0;
    if (setjmp(parser.failed)) {
      printf("as far as it goes: %ld\n", parser.last ? evaluate(parser.last) : 0);
      continue;
    }
    printf("%ld\n", evaluate(sum(&parser)));
    drop(&parser);
    parser.last = NULL;
  }
  return 0;
}
