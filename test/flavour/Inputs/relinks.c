// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds a tree and a table, relinks both, frees parts; with an argument, forks half-way and both
// processes go on.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct node {
  struct node *left, *right;
  long key;
};

static unsigned long state = 7;
static unsigned next(void) {
  return (unsigned)((state = state * 6364136223846793005u + 1442695040888963407u) >> 33);
}

static struct node *insert(struct node *at, long key) {
  if (!at) {
    at = malloc(sizeof *at);
    at->left = at->right = NULL;
    at->key = key;
  } else if (key < at->key) {
    at->left = insert(at->left, key);
  } else {
    at->right = insert(at->right, key);
  }
  return at;
}

static void turn(struct node *at) {
  if (!at)
    return;
  struct node *left = at->left;
  at->left = at->right;
  at->right = left;
  turn(next() % 2 ? at->left : at->right);
}

static void drop(struct node *at) {
  if (!at)
    return;
  drop(at->left);
  drop(at->right);
  free(at);
}

static void play(struct node **table, unsigned size, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    unsigned slot = next() % size;
    if (round % 97 == 0) {
      drop(table[slot]);
      table[slot] = NULL;
    }
    table[slot] = insert(table[slot], (long)next());
    turn(table[next() % size]);
  }
}

int main(int argc, char **argv) {
  (void)argv;
  unsigned size = 900; // a wide block
  struct node **table = calloc(size, sizeof *table);
  play(table, size, 20000);
  pid_t child = argc > 1 ? fork() : 1;
  play(table, size, child ? 20000 : 15000);
  int status = 0;
  if (argc > 1 && child)
    waitpid(child, &status, 0);
  for (unsigned slot = 0; slot < size; ++slot)
    drop(table[slot]);
  free(table);
  return status != 0;
}
