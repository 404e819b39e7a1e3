// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// health: villages in a four-way tree, each with a hospital; patients fall ill, wait, are assessed,
// treated there or sent one hospital up.
// Heap: many short singly linked lists whose cells are allocated, moved and freed at every step
// while the tree of villages stays; the lists grow towards the root, so walks get longer with time.
// Arguments: LEVELS STEPS.

#include "../program.h"

enum { kWaysDown = 4, kAssessSteps = 3, kTreatSteps = 10 };

typedef struct Patient {
  uint32_t hospitals_visited;
  uint32_t steps;
  uint32_t steps_left;
} Patient;

typedef struct Cell {
  struct Cell *next;
  Patient *patient;
} Cell;

typedef struct Queue {
  Cell *first;
  Cell **end;
} Queue;

typedef struct Village {
  struct Village *down[kWaysDown];
  Queue waiting;
  Queue assessed;
  Queue treated;
  Queue sent_up;
  Random random;
  uint32_t free_staff;
} Village;

typedef struct Totals {
  uint64_t patients;
  uint64_t steps;
  uint64_t hospitals;
} Totals;

static void queue_init(Queue *queue) {
  queue->first = NULL;
  queue->end = &queue->first;
}

static void push(Queue *queue, Patient *patient) {
  Cell *cell = allocate(sizeof(Cell));
  cell->next = NULL;
  cell->patient = patient;
  *queue->end = cell;
  queue->end = &cell->next;
}

// Unlinks and frees the cell that `link` points to; the caller keeps the patient.
static Patient *take(Queue *queue, Cell **link) {
  Cell *cell = *link;
  Patient *patient = cell->patient;
  *link = cell->next;
  if (queue->end == &cell->next)
    queue->end = link;
  free(cell);
  return patient;
}

static Village *build(uint32_t levels, uint32_t *number) {
  if (levels == 0)
    return NULL;
  Village *village = allocate(sizeof(Village));
  for (int way = 0; way < kWaysDown; way++)
    village->down[way] = build(levels - 1, number);
  queue_init(&village->waiting);
  queue_init(&village->assessed);
  queue_init(&village->treated);
  queue_init(&village->sent_up);
  village->random.state = (*number)++;
  village->free_staff = 1u << (levels - 1);
  return village;
}

static void admit(Village *village, Patient *patient) {
  patient->hospitals_visited++;
  push(&village->waiting, patient);
}

static void discharge(Patient *patient, Totals *totals) {
  totals->patients++;
  totals->steps += patient->steps;
  totals->hospitals += patient->hospitals_visited;
  free(patient);
}

static void step_treated(Village *village, Totals *totals) {
  for (Cell **link = &village->treated.first; *link;) {
    Patient *patient = (*link)->patient;
    patient->steps++;
    if (--patient->steps_left > 0) {
      link = &(*link)->next;
      continue;
    }
    village->free_staff++;
    discharge(take(&village->treated, link), totals);
  }
}

static void step_assessed(Village *village) {
  for (Cell **link = &village->assessed.first; *link;) {
    Patient *patient = (*link)->patient;
    patient->steps++;
    if (--patient->steps_left > 0) {
      link = &(*link)->next;
      continue;
    }
    take(&village->assessed, link);
    // Nine in ten are treated here, the others go to the hospital above.
    if (random_below(&village->random, 10) > 0) {
      patient->steps_left = kTreatSteps;
      push(&village->treated, patient);
    } else {
      village->free_staff++;
      push(&village->sent_up, patient);
    }
  }
}

static void step_waiting(Village *village) {
  for (Cell **link = &village->waiting.first; *link;) {
    Patient *patient = (*link)->patient;
    patient->steps++;
    if (village->free_staff == 0) {
      link = &(*link)->next;
      continue;
    }
    village->free_staff--;
    patient->steps_left = kAssessSteps;
    push(&village->assessed, take(&village->waiting, link));
  }
}

static void step(Village *village, Totals *totals) {
  for (int way = 0; way < kWaysDown && village->down[way]; way++) {
    Village *below = village->down[way];
    step(below, totals);
    while (below->sent_up.first)
      admit(village, take(&below->sent_up, &below->sent_up.first));
  }
  step_treated(village, totals);
  step_assessed(village);
  step_waiting(village);
  if (random_below(&village->random, 100) < 12) {
    Patient *patient = allocate_zeroed(1, sizeof(Patient));
    admit(village, patient);
  }
}

// Everybody still inside counts too, so that a lost or doubled cell changes the output.
static void empty(Queue *queue, Totals *totals) {
  while (queue->first)
    discharge(take(queue, &queue->first), totals);
}

static void release(Village *village, Totals *totals) {
  if (!village)
    return;
  for (int way = 0; way < kWaysDown; way++)
    release(village->down[way], totals);
  empty(&village->waiting, totals);
  empty(&village->assessed, totals);
  empty(&village->treated, totals);
  empty(&village->sent_up, totals);
  free(village);
}

int main(int argc, char **argv) {
  const char *usage = "LEVELS STEPS";
  uint32_t levels = size_argument(argc, argv, 1, usage);
  uint32_t steps = size_argument(argc, argv, 2, usage);
  uint32_t number = 1;
  Village *root = build(levels, &number);
  Totals healed = {0};
  for (uint32_t i = 0; i < steps; i++) {
    step(root, &healed);
    // The root's own transfers have nowhere to go and come back to its door.
    while (root->sent_up.first)
      admit(root, take(&root->sent_up, &root->sent_up.first));
  }
  Totals inside = {0};
  release(root, &inside);
  printf("health villages %u healed %llu steps %llu hospitals %llu inside %llu steps %llu\n",
         number - 1, (unsigned long long)healed.patients, (unsigned long long)healed.steps,
         (unsigned long long)healed.hospitals, (unsigned long long)inside.patients,
         (unsigned long long)inside.steps);
  return 0;
}
