// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tsp: a short closed tour through random cities by divide and conquer: a balanced binary tree
// splits the plane, small groups get a tour by cheapest insertion, and two tours are joined at the
// tree node above them where the join costs least. Heap: one object per city that is a tree node
// and, at the same time, a cell of a circular doubly linked tour; tours are cut and joined while
// the tree stays. Arguments: CITIES ROUNDS.

#include "../program.h"
#include <math.h>
#include <stdbool.h>

typedef struct City {
  struct City *left;
  struct City *right;
  struct City *previous;
  struct City *next;
  double x, y;
  uint32_t below; // cities in this subtree, itself included
} City;

typedef struct Area {
  double x0, x1, y0, y1;
} Area;

enum { kSmallGroup = 150 };

static double distance(const City *a, const City *b) {
  double dx = a->x - b->x;
  double dy = a->y - b->y;
  return sqrt(dx * dx + dy * dy);
}

// The city of a subtree lies near the middle of its area, halves alternate between the axes.
static City *build(uint32_t count, Area area, bool by_x, Random *random) {
  if (count == 0)
    return NULL;
  City *city = allocate(sizeof(City));
  double share = 0.45 + 0.1 * random_unit(random);
  double other = random_unit(random);
  Area low = area;
  Area high = area;
  if (by_x) {
    city->x = area.x0 + (area.x1 - area.x0) * share;
    city->y = area.y0 + (area.y1 - area.y0) * other;
    low.x1 = high.x0 = city->x;
  } else {
    city->y = area.y0 + (area.y1 - area.y0) * share;
    city->x = area.x0 + (area.x1 - area.x0) * other;
    low.y1 = high.y0 = city->y;
  }
  city->below = count;
  city->previous = city->next = NULL;
  uint32_t rest = count - 1;
  city->left = build(rest / 2, low, !by_x, random);
  city->right = build(rest - rest / 2, high, !by_x, random);
  return city;
}

static void link_after(City *place, City *city) {
  city->next = place->next;
  city->previous = place;
  place->next->previous = city;
  place->next = city;
}

static double insertion_cost(const City *place, const City *city) {
  return distance(place, city) + distance(city, place->next) - distance(place, place->next);
}

static City *cheapest_place(City *tour, const City *city) {
  City *best = tour;
  double best_cost = insertion_cost(tour, city);
  for (City *place = tour->next; place != tour; place = place->next) {
    double cost = insertion_cost(place, city);
    if (cost < best_cost) {
      best_cost = cost;
      best = place;
    }
  }
  return best;
}

// Adds every city of the subtree to the tour, each where it costs least.
static City *insert_all(City *tour, City *tree) {
  if (!tree)
    return tour;
  if (!tour) {
    tree->next = tree->previous = tree;
    tour = tree;
  } else {
    link_after(cheapest_place(tour, tree), tree);
  }
  tour = insert_all(tour, tree->left);
  return insert_all(tour, tree->right);
}

static City *nearest(City *tour, const City *city) {
  City *best = tour;
  for (City *place = tour->next; place != tour; place = place->next)
    if (distance(place, city) < distance(best, city))
      best = place;
  return best;
}

static void reverse(City *tour) {
  City *city = tour;
  do {
    City *next = city->next;
    city->next = city->previous;
    city->previous = next;
    city = next;
  } while (city != tour);
}

// Joins two tours near `middle`: opens each behind its city nearest to it, in whichever of the two
// directions of the second tour is shorter, and puts `middle` into the joint.
static City *join(City *a, City *b, City *middle) {
  a = nearest(a, middle);
  b = nearest(b, middle);
  double straight = distance(a->next, b->previous);
  double turned = distance(a->next, b->next);
  if (turned < straight)
    reverse(b);
  City *after_a = a->next;
  City *end_b = b->previous;
  a->next = middle;
  middle->previous = a;
  middle->next = b;
  b->previous = middle;
  end_b->next = after_a;
  after_a->previous = end_b;
  return middle;
}

static City *solve(City *tree) {
  if (tree->below <= kSmallGroup)
    return insert_all(NULL, tree);
  City *a = solve(tree->left);
  City *b = solve(tree->right);
  return join(a, b, tree);
}

static void release(City *tree) {
  if (!tree)
    return;
  release(tree->left);
  release(tree->right);
  free(tree);
}

int main(int argc, char **argv) {
  const char *usage = "CITIES ROUNDS";
  uint32_t count = size_argument(argc, argv, 1, usage);
  uint32_t rounds = size_argument(argc, argv, 2, usage);
  Random random = {count};
  double total = 0;
  uint64_t visited = 0;
  for (uint32_t i = 0; i < rounds; i++) {
    City *tree = build(count, (Area){0, 1, 0, 1}, true, &random);
    City *tour = solve(tree);
    const City *city = tour;
    do {
      total += distance(city, city->next);
      visited += city->next->previous == city;
      city = city->next;
    } while (city != tour);
    release(tree);
  }
  printf("tsp cities %u rounds %u visited %llu length %.9f\n", count, rounds,
         (unsigned long long)visited, total);
  return visited == (uint64_t)count * rounds ? 0 : 1;
}
