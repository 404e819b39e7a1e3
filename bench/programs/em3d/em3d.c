// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// em3d: electric and magnetic field values on the two sides of an irregular bipartite graph; every
// step recomputes each side from weighted sums over its neighbours on the other side.
// Heap: nodes in two linked lists, each with its own arrays of neighbour pointers and coefficients;
// high indegrees, scattered reads through pointer arrays, no allocation after start-up.
// Arguments: NODES DEGREE STEPS.

#include "../program.h"

typedef struct Node {
  double value;
  double source; // what this place emits by itself
  struct Node *next;
  struct Node **neighbours;
  double *coefficients;
  uint32_t degree;
} Node;

static Node *build_side(uint32_t count, Random *random, Node **table) {
  Node *first = NULL;
  for (uint32_t i = count; i-- > 0;) {
    Node *node = allocate(sizeof(Node));
    node->value = node->source = random_unit(random);
    node->next = first;
    first = table[i] = node;
  }
  return first;
}

static void connect(Node *side, Node **other, uint32_t count, uint32_t degree, Random *random) {
  for (Node *node = side; node; node = node->next) {
    // Degrees differ, so that a node's arrays fall into several size classes.
    node->degree = 1 + random_below(random, 2 * degree - 1);
    node->neighbours = allocate(node->degree * sizeof(Node *));
    node->coefficients = allocate(node->degree * sizeof(double));
    for (uint32_t i = 0; i < node->degree; i++) {
      node->neighbours[i] = other[random_below(random, count)];
      node->coefficients[i] = random_unit(random) / node->degree;
    }
  }
}

static void step(Node *side) {
  for (Node *node = side; node; node = node->next) {
    double sum = 0;
    for (uint32_t i = 0; i < node->degree; i++)
      sum += node->coefficients[i] * node->neighbours[i]->value;
    // The coefficients of a node sum to less than 1, so the field settles for any number of steps.
    node->value = node->source - sum;
  }
}

static double total(const Node *side) {
  double sum = 0;
  for (const Node *node = side; node; node = node->next)
    sum += node->value;
  return sum;
}

static void release(Node *side) {
  while (side) {
    Node *next = side->next;
    free(side->neighbours);
    free(side->coefficients);
    free(side);
    side = next;
  }
}

int main(int argc, char **argv) {
  const char *usage = "NODES DEGREE STEPS";
  uint32_t count = size_argument(argc, argv, 1, usage);
  uint32_t degree = size_argument(argc, argv, 2, usage);
  uint32_t steps = size_argument(argc, argv, 3, usage);
  Random random = {count};
  Node **table_e = allocate(count * sizeof(Node *));
  Node **table_h = allocate(count * sizeof(Node *));
  Node *electric = build_side(count, &random, table_e);
  Node *magnetic = build_side(count, &random, table_h);
  connect(electric, table_h, count, degree, &random);
  connect(magnetic, table_e, count, degree, &random);
  free(table_e);
  free(table_h);
  for (uint32_t i = 0; i < steps; i++) {
    step(electric);
    step(magnetic);
  }
  printf("em3d nodes %u steps %u electric %.12e magnetic %.12e\n", 2 * count, steps,
         total(electric), total(magnetic));
  release(electric);
  release(magnetic);
  return 0;
}
