// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The comparison should be >=: p goes one node too far, r stays behind, and the sum is wrong.
#include <stdio.h>
#include <stdlib.h>

struct node {
  int val;
  struct node *next;
};

static struct node *h, *p, *r;
static int C;

static struct node *make(int val, struct node *next) {
  struct node *made = malloc(sizeof *made);
  made->val = val;
  made->next = next;
  return made;
}

static void F(void) {
  static const int values[] = {3, 1, 0};
  for (int i = 0; i < 3; i++)
    h = make(values[i], h);
  p = r = h;
  C = p->val > 0; // culprit: cause C
  if (C) {
    r = r->next;
    h = make(0, h);
  } else {
    p = p->next;
  }
  p = p->next;
  printf("%d\n", p->val + r->val);
}

int main(void) {
  F();
  return 0;
}
