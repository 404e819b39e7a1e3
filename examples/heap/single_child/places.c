// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A map of places in districts; each district finds the nearest place by a k-d tree, which is built
// anew when the district has changed enough. The input is a script, one command a line:
//   place DISTRICT NAME X Y   add a place
//   close DISTRICT NAME       remove one
//   near DISTRICT X Y         the nearest place
// Prints a summary at the end.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kDistricts = 64, kBucket = 4, kDeepest = 48 };

struct place {
  struct place *next; // in its district
  char *name;
  int at[2];
};

struct node { // either a split with children, or some places
  int axis;
  int split;
  struct node *low;
  struct node *high;
  unsigned count;
  struct place *places[kBucket];
};

struct district {
  struct place *places;
  unsigned count;
  unsigned changes;
  struct node *tree;
};

static struct district districts[kDistricts];
static int sort_axis;
static unsigned long queries, visited, distance_sum;

static int by_axis(const void *left, const void *right) {
  const struct place *a = *(struct place *const *)left;
  const struct place *b = *(struct place *const *)right;
  int difference = (a->at[sort_axis] > b->at[sort_axis]) - (a->at[sort_axis] < b->at[sort_axis]);
  return difference ? difference : strcmp(a->name, b->name);
}

// How many of the sorted places go to the low side of a split.
static unsigned split_point(struct place **places, unsigned count, int axis) {
  unsigned low = count / 2;
#ifndef FIXED
  int middle = places[low]->at[axis];
  low = 0;
  while (low < count &&
         places[low]->at[axis] <= middle) // guilty: split_point puts ties on one side
    ++low;
#else
  (void)places;
  (void)axis;
#endif
  return low;
}

static struct node *build(struct place **places, unsigned count, int axis, int depth) {
  if (count == 0)
    return NULL;
  struct node *node = calloc(1, sizeof *node);
  if (count <= kBucket || depth == kDeepest) {
    node->count = count < kBucket ? count : kBucket;
    memcpy(node->places, places, node->count * sizeof *places);
    return node;
  }
  sort_axis = axis;
  qsort(places, count, sizeof *places, by_axis);
  unsigned low = split_point(places, count, axis);
  node->axis = axis;
  node->split = places[low ? low - 1 : 0]->at[axis];
  node->low = build(places, low, !axis, depth + 1);
  node->high = build(places + low, count - low, !axis, depth + 1);
  return node;
}

static void free_tree(struct node *node) {
  if (!node)
    return;
  free_tree(node->low);
  free_tree(node->high);
  free(node);
}

static void rebuild(struct district *district) {
  struct place **all = malloc((district->count + 1) * sizeof *all);
  unsigned count = 0;
  for (struct place *place = district->places; place; place = place->next)
    all[count++] = place;
  free_tree(district->tree);
  district->tree = build(all, count, 0, 0);
  district->changes = 0;
  free(all);
}

static void nearest(const struct node *node, const int at[2], long *best) {
  if (!node)
    return;
  ++visited;
  for (unsigned i = 0; i < node->count; ++i) {
    long dx = node->places[i]->at[0] - at[0], dy = node->places[i]->at[1] - at[1];
    if (dx * dx + dy * dy < *best)
      *best = dx * dx + dy * dy;
  }
  long gap = at[node->axis] - (long)node->split;
  nearest(gap <= 0 ? node->low : node->high, at, best);
  if (gap * gap <= *best)
    nearest(gap <= 0 ? node->high : node->low, at, best);
}

static void add(struct district *district, const char *name, int x, int y) {
  struct place *place = calloc(1, sizeof *place);
  place->name = strdup(name);
  place->at[0] = x;
  place->at[1] = y;
  place->next = district->places;
  district->places = place;
  ++district->count;
  ++district->changes;
}

static void close_place(struct district *district, const char *name) {
  for (struct place **link = &district->places; *link; link = &(*link)->next) {
    struct place *place = *link;
    if (strcmp(place->name, name) != 0)
      continue;
    *link = place->next;
    --district->count;
    rebuild(district); // no tree may hold what is gone
    free(place->name);
    free(place);
    return;
  }
}

static void obey(const char *line) {
  char command[16], name[64];
  unsigned number;
  int at[2];
  if (sscanf(line, "near %u %d %d", &number, &at[0], &at[1]) == 3) {
    long best = LONG_MAX / 4;
    struct district *district = &districts[number % kDistricts];
    if (district->changes * 8 > district->count)
      rebuild(district);
    nearest(district->tree, at, &best);
    distance_sum += (unsigned long)best;
    ++queries;
  } else {
    int words = sscanf(line, "%15s %u %63s %d %d", command, &number, name, &at[0], &at[1]);
    if (words == 5 && strcmp(command, "place") == 0)
      add(&districts[number % kDistricts], name, at[0], at[1]);
    else if (words >= 3 && strcmp(command, "close") == 0)
      close_place(&districts[number % kDistricts], name);
  }
}

int main(int argc, char **argv) {
  FILE *script = argc > 1 ? fopen(argv[1], "r") : stdin;
  char line[256];
  unsigned places = 0;
  if (!script) {
    perror(argv[1]);
    return 2;
  }
  while (fgets(line, sizeof line, script))
    obey(line);
  fclose(script);
  for (unsigned i = 0; i < kDistricts; ++i)
    places += districts[i].count;
  printf("%u places, %lu queries, %lu nodes visited, distances %lu\n", places, queries, visited,
         distance_sum);
  return 0;
}
