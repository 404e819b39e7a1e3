// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rivers by name in a tree that is kept in balance by rotations (a treap): "river NAME SEA", then
// "grow N" enters made-up ones, "cut N" takes some of them out, "water" adds up what reaches each
// sea. A sea that is not on the map is looked up all the same.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sea {
  const char *name;
  unsigned long water;
};

struct river {
  char name[20];
  struct sea *sea;
  unsigned water;
};

struct node {
  struct node *left, *right;
  unsigned priority;
  struct river river;
};

static struct sea seas[] = {{"baltic", 0}, {"black", 0}, {"north", 0}};
static struct node *root;
static unsigned seed = 11, count;

static unsigned next(void) {
  seed = seed * 1664525u + 1013904223u;
  return seed >> 8;
}

static struct sea *sea_of(const char *name) {
  for (unsigned i = 0; i < sizeof seas / sizeof *seas; ++i)
    if (strcmp(seas[i].name, name) == 0)
      return &seas[i];
  return NULL; // culprit: first corruption
}

static struct node *rotate_right(struct node *node) {
  struct node *left = node->left;
  node->left = left->right;
  left->right = node;
  return left;
}

static struct node *rotate_left(struct node *node) {
  struct node *right = node->right;
  node->right = right->left;
  right->left = node;
  return right;
}

static struct node *insert(struct node *node, const struct river *river) {
  if (!node) {
    node = malloc(sizeof *node);
    node->left = node->right = NULL;
    node->priority = next();
    node->river = *river;
    ++count;
    return node;
  }
  int order = strcmp(river->name, node->river.name);
  if (order < 0) {
    node->left = insert(node->left, river);
    if (node->left->priority > node->priority)
      node = rotate_right(node);
  } else if (order > 0) {
    node->right = insert(node->right, river);
    if (node->right->priority > node->priority)
      node = rotate_left(node);
  }
  return node;
}

// The smallest one takes the place of what was taken out: entries move between nodes.
static struct node *take_first(struct node *node, struct river *river) {
  if (node->left) {
    node->left = take_first(node->left, river);
    return node;
  }
  struct node *right = node->right;
  *river = node->river;
  free(node);
  --count;
  return right;
}

static struct node *cut(struct node *node, const char *name) {
  if (!node)
    return NULL;
  int order = strcmp(name, node->river.name);
  if (order < 0) {
    node->left = cut(node->left, name);
  } else if (order > 0) {
    node->right = cut(node->right, name);
  } else if (node->right) {
    node->right = take_first(node->right, &node->river);
  } else {
    struct node *left = node->left;
    free(node);
    --count;
    return left;
  }
  return node;
}

static void enter(const char *name, struct sea *sea) {
  struct river river;
  snprintf(river.name, sizeof river.name, "%s", name);
  river.sea = sea;
  river.water = next() % 100;
  root = insert(root, &river);
}

static void pour(const struct node *node) {
  if (!node)
    return;
  pour(node->left);
  node->river.sea->water += node->river.water; // culprit: the error
  pour(node->right);
}

int main(void) {
  char line[128], name[20], sea[20];
  unsigned number;
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "river %19s %19s", name, sea) == 2) {
      enter(name, sea_of(sea));
    } else if (sscanf(line, "grow %u", &number) == 1) {
      for (unsigned i = 0; i < number; ++i) {
        snprintf(name, sizeof name, "r%u", next() % (4 * number));
        enter(name, &seas[next() % 3]);
      }
    } else if (sscanf(line, "cut %u", &number) == 1) {
      for (unsigned i = 0; i < number; ++i) {
        snprintf(name, sizeof name, "r%u", next() % (4 * number));
        root = cut(root, name);
      }
    } else if (strncmp(line, "water", 5) == 0) {
      pour(root);
    }
  }
  for (unsigned i = 0; i < 3; ++i)
    printf("%s %lu\n", seas[i].name, seas[i].water);
  printf("%u rivers\n", count);
  return 0;
}
