/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* With the option `tree` the index of every live block is spelled out: the sites that led to it,
 * with how often something had happened there, and the counters of the loops around them. Blocks
 * made in one call share all but their ends, realloc moves a block to another place in the tree,
 * objects of pools are in it, and the tree shrinks when blocks are freed: it never has more nodes
 * than the blocks of one round need. */
// RUN: rm -rf %t && mkdir %t && culprit cc -O2 %s -o %t/made && %t/made > %t/plain
// RUN: culprit flavour index %t/made > %t/index && culprit flavour index-online %t/made > %t/online
// RUN: $(cat %t/index) > %t/out && diff %t/plain %t/out
// RUN: env CULPRIT_RUNTIME=tree=1:index_summary=%t/summary $(cat %t/index) > %t/out
// RUN: FileCheck %s < %t/out
// RUN: /usr/bin/python3 -B %S/../../bench/indexing.py --show %t/summary > %t/shown
// RUN: FileCheck --check-prefix=SUMMARY %s < %t/shown
// RUN: env CULPRIT_RUNTIME=tree=1 $(cat %t/online) > %t/other && diff %t/out %t/other
#include <culprit/watch.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern uint64_t __culprit_index_path(const void *address, uint64_t *parts, uint64_t most)
    __attribute__((weak));

static uint64_t parts_a[64], parts_b[64];

static uint64_t path(const void *block, uint64_t *parts) {
  return __culprit_index_path ? __culprit_index_path(block, parts, 64) : 0;
}

/* How many parts the two have, and in how many of them they agree from the outside in. */
static void compare(const char *what, const void *a, const void *b) {
  uint64_t first = path(a, parts_a), second = path(b, parts_b), same = 0;
  while (same < first && same < second && parts_a[same] == parts_b[same])
    same++;
  printf("%s: %d and %d parts, %d the same\n", what, (int)first, (int)second, (int)same);
}

struct tree {
  struct tree *left, *right;
};

__attribute__((noinline)) static struct tree *grow(int depth) {
  struct tree *made = malloc(sizeof *made);
  made->left = depth > 0 ? grow(depth - 1) : NULL;
  made->right = depth > 0 ? grow(depth - 1) : NULL;
  return made;
}

__attribute__((noinline)) static void fell(struct tree *tree) {
  if (!tree)
    return;
  fell(tree->left);
  fell(tree->right);
  free(tree);
}

__attribute__((noinline)) static void rows(char **made, int count) {
  for (int i = 0; i < count; i++)
    for (int j = 0; j < 3; j++)
      made[i * 3 + j] = malloc(24);
}

int main(int argc, char **argv) {
  (void)argv;
  char *made[12];
  rows(made, argc * 4);
  // CHECK: neighbours: 3 and 3 parts, 2 the same
  compare("neighbours", made[0], made[1]);
  // CHECK: other rounds: 3 and 3 parts, 1 the same
  compare("other rounds", made[0], made[3]);
  // CHECK: round 1 and 2, of them 1 and 3
  path(made[0], parts_a), path(made[5], parts_b);
  printf("round %d and %d, of them %d and %d\n", (int)parts_a[1], (int)parts_b[1], (int)parts_a[2],
         (int)parts_b[2]);
  // CHECK: usable: 1
  printf("usable: %d\n", malloc_usable_size(made[2]) >= 24);
  char *big = malloc(4000000);
  memset(big, 1, 4000000);
  // CHECK: moved: 3 and 1 parts, 0 the same
  char *grown = realloc(made[1], 5000);
  compare("moved", made[0], grown);
  // CHECK: large: 1 and 1 parts, 0 the same
  compare("large", big, grown);
  culprit_pool_alloc(made, big + 64, 32);
  // CHECK: pooled: 1 and 1 parts, 0 the same
  compare("pooled", big + 70, big);
  culprit_pool_free(made, big + 64);
  // CHECK: given back: 1 and 1 parts, 1 the same
  compare("given back", big + 70, big);
  struct tree *last = NULL;
  for (int round = 0; round < 50; round++) {
    fell(last);
    last = grow(8 + argc);
  }
  // CHECK: recursion: 3 and 4 parts, 2 the same
  compare("recursion", last, last->left);
  fell(last);
  for (int i = 0; i < 12; i++)
    if (i != 1)
      free(made[i]);
  free(big);
  free(grown);
  puts("done");
  return 0;
}
/* 1,023 blocks of the recursion live at once, made 50 times; each call has two sites. */
// SUMMARY: 6 functions, 4 with a frame, 1 in its caller's; 12 branches, 3 counted cycles
// SUMMARY: 4 calls of allocation functions, 51,166 blocks of 94 bytes on average
// SUMMARY: 2,068 nodes at most, 12 parts at most
