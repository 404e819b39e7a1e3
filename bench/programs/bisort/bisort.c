// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bisort: adaptive bitonic sort (Bilardi and Nicolau) of the values in a perfect binary tree plus
// one spare value, first upwards, then downwards. Heap: one tree of 2^levels - 1 nodes that is
// built once; the merge swaps whole subtrees, so pointers inside old objects are rewritten all the
// time while every indegree returns to 1. Arguments: LEVELS.

#include "../program.h"
#include <stdbool.h>

typedef struct Node {
  struct Node *left;
  struct Node *right;
  uint32_t value;
} Node;

static Node *build(uint32_t levels, Random *random) {
  if (levels == 0)
    return NULL;
  Node *node = allocate(sizeof(Node));
  node->left = build(levels - 1, random);
  node->value = (uint32_t)random_next(random);
  node->right = build(levels - 1, random);
  return node;
}

static void release(Node *node) {
  if (!node)
    return;
  release(node->left);
  release(node->right);
  free(node);
}

static bool out_of_order(uint32_t first, uint32_t second, bool down) {
  return down ? first < second : first > second;
}

static void swap_values(uint32_t *a, uint32_t *b) {
  uint32_t kept = *a;
  *a = *b;
  *b = kept;
}

static void swap_links(Node **a, Node **b) {
  Node *kept = *a;
  *a = *b;
  *b = kept;
}

// The in-order sequence of `root` followed by `spare` is bitonic; sorts it and returns the new
// spare. One walk down the two halves finds where they have to be exchanged; what lies beyond that
// point is exchanged by swapping a subtree instead of its elements.
static uint32_t merge(Node *root, uint32_t spare, bool down) {
  bool crossed = out_of_order(root->value, spare, down);
  if (crossed)
    swap_values(&root->value, &spare);
  Node *low = root->left;
  Node *high = root->right;
  while (low) {
    bool exchange = out_of_order(low->value, high->value, down);
    if (exchange) {
      swap_values(&low->value, &high->value);
      if (crossed)
        swap_links(&low->right, &high->right);
      else
        swap_links(&low->left, &high->left);
    }
    if (exchange == crossed) {
      low = low->left;
      high = high->left;
    } else {
      low = low->right;
      high = high->right;
    }
  }
  if (root->left) {
    root->value = merge(root->left, root->value, down);
    spare = merge(root->right, spare, down);
  }
  return spare;
}

static uint32_t sort(Node *root, uint32_t spare, bool down) {
  if (!root->left) {
    if (out_of_order(root->value, spare, down))
      swap_values(&root->value, &spare);
    return spare;
  }
  root->value = sort(root->left, root->value, down);
  spare = sort(root->right, spare, !down);
  return merge(root, spare, down);
}

typedef struct Check {
  uint64_t checksum;
  uint32_t last;
  bool any;
  bool sorted;
} Check;

static void visit(const Node *node, bool down, Check *check) {
  if (!node)
    return;
  visit(node->left, down, check);
  if (check->any && out_of_order(check->last, node->value, down))
    check->sorted = false;
  check->any = true;
  check->last = node->value;
  check->checksum = mix(check->checksum, node->value);
  visit(node->right, down, check);
}

int main(int argc, char **argv) {
  uint32_t levels = size_argument(argc, argv, 1, "LEVELS");
  Random random = {levels};
  Node *root = build(levels, &random);
  uint32_t spare = (uint32_t)random_next(&random);
  bool sorted = true;
  uint64_t checksum = 0;
  for (int down = 0; down < 2; down++) {
    spare = sort(root, spare, down);
    Check check = {.checksum = checksum, .sorted = true};
    visit(root, down, &check);
    sorted = sorted && check.sorted && !out_of_order(check.last, spare, down);
    checksum = mix(check.checksum, spare);
  }
  release(root);
  printf("bisort levels %u %s checksum %016llx\n", levels, sorted ? "sorted" : "NOT SORTED",
         (unsigned long long)checksum);
  return sorted ? 0 : 1;
}
