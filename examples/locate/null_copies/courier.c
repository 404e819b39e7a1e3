// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A courier service: orders are matched with a courier, put into a tour, the tours into a plan, the
// plan is copied for the day, and at last the deliveries are made. An order to a district without a
// courier is carried along as if there were one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kCouriers = 3, kOrders = 64, kTours = 8 };

struct courier {
  const char *district;
  unsigned delivered;
};

struct order {
  char district[16];
  struct courier *by;
};

struct tour {
  struct courier *courier;
  unsigned orders;
};

struct plan {
  struct tour tours[kTours];
  unsigned used;
};

static struct courier couriers[kCouriers] = {{"north", 0}, {"south", 0}, {"harbour", 0}};
static struct order orders[kOrders];

static struct courier *responsible(const char *district) {
  struct courier *found = NULL; // culprit: first corruption
  for (int i = 0; i < kCouriers; ++i)
    if (strcmp(couriers[i].district, district) == 0)
      found = &couriers[i];
  return found;
}

static struct tour *tour_of(struct plan *plan, struct courier *courier) {
  for (unsigned i = 0; i < plan->used; ++i)
    if (plan->tours[i].courier == courier)
      return &plan->tours[i];
  struct tour *tour = &plan->tours[plan->used++];
  tour->courier = courier;
  tour->orders = 0;
  return tour;
}

static struct plan make_plan(unsigned count) {
  struct plan plan = {.used = 0};
  for (unsigned i = 0; i < count; ++i)
    ++tour_of(&plan, orders[i].by)->orders;
  return plan;
}

static void deliver(const struct plan *plan) {
  for (unsigned i = 0; i < plan->used; ++i) {
    struct courier *courier = plan->tours[i].courier;
    courier->delivered += plan->tours[i].orders;
  }
}

int main(void) {
  unsigned count = 0;
  while (count < kOrders && scanf("%15s", orders[count].district) == 1) {
    orders[count].by = responsible(orders[count].district);
    ++count;
  }
  struct plan drawn = make_plan(count);
  struct plan *today = malloc(sizeof *today);
  *today = drawn;
  deliver(today);
  free(today);
  for (int i = 0; i < kCouriers; ++i)
    printf("%s %u\n", couriers[i].district, couriers[i].delivered);
  return 0;
}
