// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// barnes_hut: gravitation of N bodies, with far groups replaced by their centre of mass in an
// oct-tree. Heap: bodies live for the whole run; the oct-tree's cells are allocated, filled and
// freed in every step, so one phase creates a many-way tree with shared leaves and the next one
// only reads it. Arguments: BODIES STEPS.

#include "../program.h"
#include <math.h>
#include <stdbool.h>

typedef struct Vector {
  double x, y, z;
} Vector;

typedef struct Body {
  Vector position;
  Vector velocity;
  double mass;
  struct Body *next;
} Body;

// A cell covers a cube. A child slot is empty, a body, or a smaller cell; `is_cell` has one bit
// each.
typedef struct Cell {
  Vector centre_of_mass;
  double mass;
  Vector middle;
  double half;
  uint32_t is_cell;
  void *children[8];
} Cell;

// Softening: bodies this near do not attract each other more; it also ends the splitting of cells.
static const double kSoftening = 0.05;
static const double kTimeStep = 0.0125;
// A cell is seen as one point when its width is below this share of the distance to it.
static const double kOpening = 0.8;

static Vector subtract(Vector a, Vector b) { return (Vector){a.x - b.x, a.y - b.y, a.z - b.z}; }

static Vector add_scaled(Vector a, Vector b, double scale) {
  return (Vector){a.x + b.x * scale, a.y + b.y * scale, a.z + b.z * scale};
}

static double square(Vector a) { return a.x * a.x + a.y * a.y + a.z * a.z; }

static Vector random_in_ball(Random *random, double radius) {
  for (;;) {
    Vector point = {2 * random_unit(random) - 1, 2 * random_unit(random) - 1,
                    2 * random_unit(random) - 1};
    if (square(point) <= 1)
      return (Vector){point.x * radius, point.y * radius, point.z * radius};
  }
}

static Body *make_bodies(uint32_t count, Random *random) {
  Body *first = NULL;
  for (uint32_t i = 0; i < count; i++) {
    Body *body = allocate(sizeof(Body));
    // Two clusters that fall towards each other: an uneven tree that changes from step to step.
    double side = i % 2 ? 1 : -1;
    Vector centre = {1.5 * side, 0.25 * side, 0};
    body->position = add_scaled(random_in_ball(random, i % 8 ? 0.5 : 1.5), centre, 1);
    body->velocity = (Vector){-0.2 * side, 0.05 * side, 0};
    body->mass = 1.0 / count;
    body->next = first;
    first = body;
  }
  return first;
}

static Cell *make_cell(Vector middle, double half) {
  Cell *cell = allocate_zeroed(1, sizeof(Cell));
  cell->middle = middle;
  cell->half = half;
  return cell;
}

static uint32_t octant(const Cell *cell, Vector position) {
  return (position.x >= cell->middle.x) | (uint32_t)(position.y >= cell->middle.y) << 1 |
         (uint32_t)(position.z >= cell->middle.z) << 2;
}

static void insert(Cell *cell, Body *body) {
  for (;;) {
    uint32_t slot = octant(cell, body->position);
    uint32_t bit = 1u << slot;
    if (!cell->children[slot]) {
      cell->children[slot] = body;
      return;
    }
    if (!(cell->is_cell & bit)) {
      Body *settled = cell->children[slot];
      double half = cell->half / 2;
      if (half < 1e-9) { // two bodies at one place: chain-free, the pair counts as one
        settled->mass += body->mass;
        body->mass = 0;
        return;
      }
      Vector middle = {cell->middle.x + (slot & 1 ? half : -half),
                       cell->middle.y + (slot & 2 ? half : -half),
                       cell->middle.z + (slot & 4 ? half : -half)};
      Cell *smaller = make_cell(middle, half);
      smaller->children[octant(smaller, settled->position)] = settled;
      cell->children[slot] = smaller;
      cell->is_cell |= bit;
    }
    cell = cell->children[slot];
  }
}

static void summarise(Cell *cell) {
  Vector weighted = {0, 0, 0};
  for (uint32_t slot = 0; slot < 8; slot++) {
    if (!cell->children[slot])
      continue;
    if (cell->is_cell & 1u << slot) {
      Cell *child = cell->children[slot];
      summarise(child);
      weighted = add_scaled(weighted, child->centre_of_mass, child->mass);
      cell->mass += child->mass;
    } else {
      const Body *child = cell->children[slot];
      weighted = add_scaled(weighted, child->position, child->mass);
      cell->mass += child->mass;
    }
  }
  if (cell->mass > 0)
    cell->centre_of_mass = add_scaled((Vector){0, 0, 0}, weighted, 1 / cell->mass);
}

static Vector pull(Vector to, double mass) {
  double distance_2 = square(to) + kSoftening * kSoftening;
  return add_scaled((Vector){0, 0, 0}, to, mass / (distance_2 * sqrt(distance_2)));
}

static Vector acceleration(const Cell *cell, const Body *body) {
  Vector to = subtract(cell->centre_of_mass, body->position);
  double width = 2 * cell->half;
  if (width * width < kOpening * kOpening * square(to))
    return pull(to, cell->mass);
  Vector sum = {0, 0, 0};
  for (uint32_t slot = 0; slot < 8; slot++) {
    if (!cell->children[slot] || cell->children[slot] == body)
      continue;
    if (cell->is_cell & 1u << slot) {
      sum = add_scaled(sum, acceleration(cell->children[slot], body), 1);
    } else {
      const Body *other = cell->children[slot];
      sum = add_scaled(sum, pull(subtract(other->position, body->position), other->mass), 1);
    }
  }
  return sum;
}

static uint32_t release(Cell *cell) {
  uint32_t cells = 1;
  for (uint32_t slot = 0; slot < 8; slot++)
    if (cell->is_cell & 1u << slot)
      cells += release(cell->children[slot]);
  free(cell);
  return cells;
}

static double widest(const Body *bodies) {
  double half = 1;
  for (const Body *body = bodies; body; body = body->next) {
    half = fmax(half, fabs(body->position.x));
    half = fmax(half, fabs(body->position.y));
    half = fmax(half, fabs(body->position.z));
  }
  return half * 1.0625;
}

static uint32_t step(Body *bodies) {
  Cell *root = make_cell((Vector){0, 0, 0}, widest(bodies));
  for (Body *body = bodies; body; body = body->next)
    insert(root, body);
  summarise(root);
  for (Body *body = bodies; body; body = body->next)
    body->velocity = add_scaled(body->velocity, acceleration(root, body), kTimeStep);
  for (Body *body = bodies; body; body = body->next)
    body->position = add_scaled(body->position, body->velocity, kTimeStep);
  return release(root);
}

int main(int argc, char **argv) {
  const char *usage = "BODIES STEPS";
  uint32_t count = size_argument(argc, argv, 1, usage);
  uint32_t steps = size_argument(argc, argv, 2, usage);
  Random random = {count};
  Body *bodies = make_bodies(count, &random);
  uint64_t cells = 0;
  for (uint32_t i = 0; i < steps; i++)
    cells += step(bodies);
  double kinetic = 0;
  double spread = 0;
  while (bodies) {
    Body *next = bodies->next;
    kinetic += bodies->mass * square(bodies->velocity) / 2;
    spread += bodies->mass * square(bodies->position);
    free(bodies);
    bodies = next;
  }
  printf("barnes_hut bodies %u steps %u cells %llu kinetic %.10f spread %.10f\n", count, steps,
         (unsigned long long)cells, kinetic, spread);
  return 0;
}
