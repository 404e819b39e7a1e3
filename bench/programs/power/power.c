// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// power: a power network as a fixed tree: root, feeders, laterals, branches, customers. Prices go
// down the tree, demands and line losses come up, and the root moves its price until demand meets
// supply. Heap: built once, four kinds of small objects in lists of lists with stable shape; the
// run reads and writes numbers in them in post-order, so it is the quiet opposite of the
// list-churning programs. Arguments: FEEDERS STEPS.

#include "../program.h"

enum { kLaterals = 20, kBranches = 5, kCustomers = 10 };

typedef struct Customer {
  struct Customer *next;
  double wish; // how much the customer values power
  double demand;
} Customer;

typedef struct Branch {
  struct Branch *next;
  Customer *customers;
  double resistance;
  double load;
} Branch;

typedef struct Lateral {
  struct Lateral *next;
  Branch *branches;
  double resistance;
  double load;
} Lateral;

typedef struct Feeder {
  struct Feeder *next;
  Lateral *laterals;
  double load;
} Feeder;

static Customer *build_customers(Random *random) {
  Customer *first = NULL;
  for (int i = 0; i < kCustomers; i++) {
    Customer *customer = allocate(sizeof(Customer));
    customer->wish = 0.5 + random_unit(random);
    customer->demand = 1;
    customer->next = first;
    first = customer;
  }
  return first;
}

static Branch *build_branches(Random *random) {
  Branch *first = NULL;
  for (int i = 0; i < kBranches; i++) {
    Branch *branch = allocate(sizeof(Branch));
    branch->customers = build_customers(random);
    branch->resistance = 1e-3 * (1 + random_unit(random));
    branch->load = 0;
    branch->next = first;
    first = branch;
  }
  return first;
}

static Feeder *build(uint32_t feeders, Random *random) {
  Feeder *first = NULL;
  for (uint32_t i = 0; i < feeders; i++) {
    Feeder *feeder = allocate(sizeof(Feeder));
    feeder->laterals = NULL;
    feeder->load = 0;
    for (int j = 0; j < kLaterals; j++) {
      Lateral *lateral = allocate(sizeof(Lateral));
      lateral->branches = build_branches(random);
      lateral->resistance = 1e-4 * (1 + random_unit(random));
      lateral->load = 0;
      lateral->next = feeder->laterals;
      feeder->laterals = lateral;
    }
    feeder->next = first;
    first = feeder;
  }
  return first;
}

// A customer buys until the next unit is worth less than its price: wish / (1 + demand) = price.
// Half of the step only, as a customer who reacted at once would make the prices swing.
static double buy(Customer *customers, double price) {
  double sum = 0;
  for (Customer *customer = customers; customer; customer = customer->next) {
    double best = customer->wish / price - 1;
    if (best < 0)
      best = 0;
    customer->demand += (best - customer->demand) / 2;
    sum += customer->demand;
  }
  return sum;
}

// The loss of a line grows with the square of its load; whoever is behind it pays the marginal
// loss.
static double with_loss(double load, double resistance) { return load + resistance * load * load; }
static double price_behind(double price, double load, double resistance) {
  return price * (1 + 2 * resistance * load);
}

static double lateral_load(Lateral *lateral, double price) {
  double inner = price_behind(price, lateral->load, lateral->resistance);
  double sum = 0;
  for (Branch *branch = lateral->branches; branch; branch = branch->next) {
    double at_branch = price_behind(inner, branch->load, branch->resistance);
    branch->load = buy(branch->customers, at_branch);
    sum += with_loss(branch->load, branch->resistance);
  }
  lateral->load = sum;
  return with_loss(sum, lateral->resistance);
}

static double network_load(Feeder *feeders, double price) {
  double total = 0;
  for (Feeder *feeder = feeders; feeder; feeder = feeder->next) {
    feeder->load = 0;
    for (Lateral *lateral = feeder->laterals; lateral; lateral = lateral->next)
      feeder->load += lateral_load(lateral, price);
    total += feeder->load;
  }
  return total;
}

static void release(Feeder *feeders) {
  while (feeders) {
    Feeder *feeder = feeders;
    feeders = feeder->next;
    while (feeder->laterals) {
      Lateral *lateral = feeder->laterals;
      feeder->laterals = lateral->next;
      while (lateral->branches) {
        Branch *branch = lateral->branches;
        lateral->branches = branch->next;
        while (branch->customers) {
          Customer *customer = branch->customers;
          branch->customers = customer->next;
          free(customer);
        }
        free(branch);
      }
      free(lateral);
    }
    free(feeder);
  }
}

int main(int argc, char **argv) {
  const char *usage = "FEEDERS STEPS";
  uint32_t count = size_argument(argc, argv, 1, usage);
  uint32_t steps = size_argument(argc, argv, 2, usage);
  Random random = {count};
  Feeder *feeders = build(count, &random);
  double supply = 0.8 * count * kLaterals * kBranches * kCustomers;
  double price = 0.5;
  double load = 0;
  for (uint32_t i = 0; i < steps; i++) {
    load = network_load(feeders, price);
    price *= 1 + 0.05 * (load / supply - 1);
  }
  release(feeders);
  printf("power customers %u steps %u price %.12f load/supply %.12f\n",
         count * kLaterals * kBranches * kCustomers, steps, price, load / supply);
  return 0;
}
