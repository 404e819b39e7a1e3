// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds binary trees and lists, walks and drops them, while one large tree stays alive.
#include <stdio.h>
#include <stdlib.h>

struct Tree {
  struct Tree *left, *right;
  long key;
};
struct Item {
  struct Item *next;
  long values[4];
};

static struct Tree *build(int depth, long key) {
  struct Tree *tree = malloc(sizeof *tree);
  tree->key = key;
  tree->left = depth ? build(depth - 1, 2 * key) : NULL;
  tree->right = depth ? build(depth - 1, 2 * key + 1) : NULL;
  return tree;
}
static long sum(const struct Tree *tree) {
  return tree ? tree->key + sum(tree->left) + sum(tree->right) : 0;
}
static void drop(struct Tree *tree) {
  if (!tree)
    return;
  drop(tree->left);
  drop(tree->right);
  free(tree);
}

int main(int argc, char **argv) {
  long rounds = argc > 1 ? atol(argv[1]) : 120;
  struct Tree *kept = build(19, 1);
  long total = 0;
  for (long round = 0; round < rounds; ++round) {
    struct Tree *tree = build(15, round);
    struct Item *list = NULL;
    for (int i = 0; i < 40000; ++i) {
      struct Item *item = malloc(sizeof *item);
      item->next = list;
      item->values[0] = i;
      list = item;
    }
    total += sum(tree);
    drop(tree);
    while (list) {
      struct Item *next = list->next;
      total += list->values[0];
      free(list);
      list = next;
    }
  }
  printf("%ld\n", total + sum(kept));
  drop(kept);
  return 0;
}
