// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ft: minimum spanning tree of a sparse random graph with a Fibonacci heap as the priority queue.
// Heap: vertices with linked adjacency lists, and heap nodes in circular doubly linked lists with
// parent and child pointers; cutting and consolidating rewires old objects at random, and node
// blocks come and go while the graph stays. Arguments: VERTICES EDGES ROUNDS.

#include "../program.h"
#include <stdbool.h>

typedef struct Vertex Vertex;

typedef struct Edge {
  struct Edge *next;
  Vertex *to;
  uint32_t weight;
} Edge;

typedef struct HeapNode {
  struct HeapNode *parent;
  struct HeapNode *child;
  struct HeapNode *previous;
  struct HeapNode *next;
  Vertex *vertex;
  uint32_t key;
  uint32_t degree;
  bool marked;
} HeapNode;

struct Vertex {
  Vertex *next;
  Edge *edges;
  HeapNode *queued;
  uint32_t number;
  bool done;
};

// A degree above 64 would need more than F(66) nodes.
enum { kMostDegrees = 64 };

static void splice(HeapNode *list, HeapNode *node) {
  node->next = list->next;
  node->previous = list;
  list->next->previous = node;
  list->next = node;
}

static void unlink_node(HeapNode *node) {
  node->previous->next = node->next;
  node->next->previous = node->previous;
}

static void add_root(HeapNode **minimum, HeapNode *node) {
  node->parent = NULL;
  if (!*minimum) {
    node->next = node->previous = node;
    *minimum = node;
    return;
  }
  splice(*minimum, node);
  if (node->key < (*minimum)->key)
    *minimum = node;
}

static HeapNode *push(HeapNode **minimum, Vertex *vertex, uint32_t key) {
  HeapNode *node = allocate_zeroed(1, sizeof(HeapNode));
  node->vertex = vertex;
  node->key = key;
  add_root(minimum, node);
  return node;
}

static HeapNode *hang_below(HeapNode *above, HeapNode *below) {
  below->parent = above;
  below->marked = false;
  if (above->child) {
    splice(above->child, below);
  } else {
    below->next = below->previous = below;
    above->child = below;
  }
  above->degree++;
  return above;
}

// Roots of equal degree are hung below each other until all degrees differ.
static HeapNode *consolidate(HeapNode *roots) {
  HeapNode *by_degree[kMostDegrees] = {NULL};
  while (roots) {
    HeapNode *node = roots;
    roots = node->next == node ? NULL : node->next;
    unlink_node(node);
    while (by_degree[node->degree]) {
      HeapNode *other = by_degree[node->degree];
      by_degree[node->degree] = NULL;
      node = node->key <= other->key ? hang_below(node, other) : hang_below(other, node);
    }
    by_degree[node->degree] = node;
  }
  HeapNode *minimum = NULL;
  for (int degree = 0; degree < kMostDegrees; degree++)
    if (by_degree[degree])
      add_root(&minimum, by_degree[degree]);
  return minimum;
}

static HeapNode *pop(HeapNode **minimum) {
  HeapNode *node = *minimum;
  while (node->child) {
    HeapNode *child = node->child;
    node->child = child->next == child ? NULL : child->next;
    unlink_node(child);
    child->parent = NULL;
    splice(node, child);
  }
  HeapNode *rest = node->next == node ? NULL : node->next;
  unlink_node(node);
  *minimum = consolidate(rest);
  return node;
}

static void cut(HeapNode **minimum, HeapNode *node) {
  HeapNode *parent = node->parent;
  if (parent->child == node)
    parent->child = node->next == node ? NULL : node->next;
  unlink_node(node);
  parent->degree--;
  node->marked = false;
  add_root(minimum, node);
}

static void decrease(HeapNode **minimum, HeapNode *node, uint32_t key) {
  node->key = key;
  HeapNode *parent = node->parent;
  if (!parent) {
    if (key < (*minimum)->key)
      *minimum = node;
    return;
  }
  if (key >= parent->key)
    return;
  cut(minimum, node);
  while (parent->parent && parent->marked) {
    HeapNode *above = parent->parent;
    cut(minimum, parent);
    parent = above;
  }
  if (parent->parent)
    parent->marked = true;
}

static void connect(Vertex *from, Vertex *to, uint32_t weight) {
  Edge *edge = allocate(sizeof(Edge));
  edge->to = to;
  edge->weight = weight;
  edge->next = from->edges;
  from->edges = edge;
}

static Vertex *build(uint32_t vertices, uint32_t edges, Random *random) {
  Vertex **table = allocate(vertices * sizeof(Vertex *));
  for (uint32_t i = 0; i < vertices; i++) {
    table[i] = allocate_zeroed(1, sizeof(Vertex));
    table[i]->number = i;
    if (i > 0)
      table[i - 1]->next = table[i];
  }
  for (uint32_t i = 0; i < edges; i++) {
    // The first edges make a random tree, so that the graph is connected.
    uint32_t from = i + 1 < vertices ? i + 1 : random_below(random, vertices);
    uint32_t to = i + 1 < vertices ? random_below(random, i + 1) : random_below(random, vertices);
    uint32_t weight = 1 + random_below(random, 1000000);
    connect(table[from], table[to], weight);
    connect(table[to], table[from], weight);
  }
  Vertex *first = table[0];
  free(table);
  return first;
}

static uint64_t spanning_weight(Vertex *start) {
  uint64_t weight = 0;
  HeapNode *minimum = NULL;
  start->queued = push(&minimum, start, 0);
  while (minimum) {
    HeapNode *node = pop(&minimum);
    Vertex *vertex = node->vertex;
    weight += node->key;
    vertex->done = true;
    vertex->queued = NULL;
    free(node);
    for (Edge *edge = vertex->edges; edge; edge = edge->next) {
      Vertex *to = edge->to;
      if (to->done)
        continue;
      if (!to->queued)
        to->queued = push(&minimum, to, edge->weight);
      else if (edge->weight < to->queued->key)
        decrease(&minimum, to->queued, edge->weight);
    }
  }
  return weight;
}

static uint32_t release(Vertex *vertices) {
  uint32_t reached = 0;
  while (vertices) {
    Vertex *vertex = vertices;
    vertices = vertex->next;
    reached += vertex->done;
    while (vertex->edges) {
      Edge *edge = vertex->edges;
      vertex->edges = edge->next;
      free(edge);
    }
    free(vertex);
  }
  return reached;
}

int main(int argc, char **argv) {
  const char *usage = "VERTICES EDGES ROUNDS";
  uint32_t vertices = size_argument(argc, argv, 1, usage);
  uint32_t edges = size_argument(argc, argv, 2, usage);
  uint32_t rounds = size_argument(argc, argv, 3, usage);
  Random random = {vertices};
  Vertex *graph = build(vertices, edges, &random);
  uint64_t weight = 0;
  Vertex *start = graph;
  for (uint32_t i = 0; i < rounds; i++) {
    for (Vertex *vertex = graph; vertex; vertex = vertex->next)
      vertex->done = false;
    // Every start gives the same weight; a heap that loses order would not.
    weight += spanning_weight(start);
    start = start->next ? start->next : graph;
  }
  uint32_t reached = release(graph);
  printf("ft vertices %u edges %u reached %u weight %llu\n", vertices, edges, reached,
         (unsigned long long)(weight / rounds));
  return weight % rounds == 0 ? 0 : 1;
}
