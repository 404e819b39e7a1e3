// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A search tree is rotated when a number is looked up.
#include <stdio.h>
#include <stdlib.h>

struct node {
  int key;
  struct node *left, *right;
};

static struct node *root;

static void insert(int key) {
  struct node **at = &root;
  while (*at)
    at = key < (*at)->key ? &(*at)->left : &(*at)->right;
  *at = calloc(1, sizeof **at);
  (*at)->key = key;
}

static struct node *rotate_left(struct node *top) {
  struct node *pivot = top->right;
  top->right = pivot->left;
  pivot->left = top;
  return pivot;
}

static struct node *lift(struct node *top, int key) {
  if (!top || top->key == key)
    return top;
  if (key < top->key) {
    top->left = lift(top->left, key);
    return top;
  }
  top->right = lift(top->right, key);
  return top->right && top->right->key == key ? rotate_left(top) : top;
}

static int total(const struct node *top, int depth) {
  if (!top || depth > 8)
    return 0;
  return top->key + total(top->left, depth + 1) + total(top->right, depth + 1);
}

int main(void) {
  static const int keys[] = {50, 30, 70, 60, 65, 80, 20, 40};
  for (unsigned i = 0; i < sizeof keys / sizeof keys[0]; i++)
    insert(keys[i]);
  root = lift(root, 70);
  printf("%d\n", total(root, 0));
  return 0;
}
