// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// treeadd: builds a perfect binary tree, sums it recursively a few times, frees it, and starts
// again. Heap: 2^levels - 1 nodes of 32 bytes per round, every node but the root has indegree 1;
// blocks freed in one round serve the next, so allocation and release in bulk are measured as well
// as the walk. Arguments: LEVELS ROUNDS.

#include "../program.h"

typedef struct Node {
  struct Node *left;
  struct Node *right;
  int64_t value;
} Node;

static Node *build(uint32_t levels, int64_t value) {
  if (levels == 0)
    return NULL;
  Node *node = allocate(sizeof(Node));
  node->value = value;
  node->left = build(levels - 1, value * 2);
  node->right = build(levels - 1, value * 2 + 1);
  return node;
}

static int64_t sum(const Node *node) {
  if (!node)
    return 0;
  return node->value + sum(node->left) + sum(node->right);
}

static void release(Node *node) {
  if (!node)
    return;
  release(node->left);
  release(node->right);
  free(node);
}

int main(int argc, char **argv) {
  const char *usage = "LEVELS ROUNDS";
  uint32_t levels = size_argument(argc, argv, 1, usage);
  uint32_t rounds = size_argument(argc, argv, 2, usage);
  uint64_t checksum = 0;
  for (uint32_t round = 0; round < rounds; round++) {
    Node *root = build(levels, round + 1);
    for (int walk = 0; walk < 4; walk++)
      checksum = mix(checksum, (uint64_t)sum(root));
    release(root);
  }
  printf("treeadd levels %u rounds %u checksum %016llx\n", levels, rounds,
         (unsigned long long)checksum);
  return 0;
}
