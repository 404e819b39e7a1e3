// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ks: splits the modules of a circuit into two equal halves so that few nets cross, by Kernighan
// and Lin's passes of best swaps with Schweikert and Kernighan's net model (a net, not a pair, is
// cut). Heap: modules and nets joined by two families of singly linked lists, and modules that move
// between the list of free and the list of swapped ones; small objects, long list walks, little
// allocation inside a pass. Arguments: MODULES NETS.

#include "../program.h"
#include <stdbool.h>

typedef struct Module Module;

typedef struct Net {
  struct Member *members;
  uint32_t inside[2]; // members in each half
} Net;

typedef struct Member {
  struct Member *next;
  Module *module;
} Member;

typedef struct Pin {
  struct Pin *next;
  Net *net;
} Pin;

struct Module {
  Module *next;
  Pin *pins;
  uint32_t number;
  int32_t gain;
  uint32_t half;
};

typedef struct Swap {
  struct Swap *next;
  Module *a;
  Module *b;
} Swap;

typedef struct Circuit {
  Module **modules;
  Net **nets;
  uint32_t module_count;
  uint32_t net_count;
} Circuit;

static void attach(Net *net, Module *module) {
  for (const Member *member = net->members; member; member = member->next)
    if (member->module == module)
      return;
  Member *member = allocate(sizeof(Member));
  member->module = module;
  member->next = net->members;
  net->members = member;
  net->inside[module->half]++;
  Pin *pin = allocate(sizeof(Pin));
  pin->net = net;
  pin->next = module->pins;
  module->pins = pin;
}

static Circuit build(uint32_t modules, uint32_t nets, Random *random) {
  Circuit circuit = {.module_count = modules, .net_count = nets};
  circuit.modules = allocate(modules * sizeof(Module *));
  circuit.nets = allocate(nets * sizeof(Net *));
  for (uint32_t i = 0; i < modules; i++) {
    circuit.modules[i] = allocate_zeroed(1, sizeof(Module));
    circuit.modules[i]->number = i;
    circuit.modules[i]->half = i % 2;
  }
  for (uint32_t i = 0; i < nets; i++) {
    Net *net = circuit.nets[i] = allocate_zeroed(1, sizeof(Net));
    // Nets are mostly local, so that there is a good cut to be found.
    uint32_t centre = random_below(random, modules);
    uint32_t members = 2 + random_below(random, 4);
    for (uint32_t j = 0; j < members; j++) {
      bool local = random_below(random, 8) > 0;
      uint32_t offset = random_below(random, local ? 16 : modules);
      attach(net, circuit.modules[(centre + offset) % modules]);
    }
  }
  return circuit;
}

static uint32_t nets_cut(const Circuit *circuit) {
  uint32_t cut = 0;
  for (uint32_t i = 0; i < circuit->net_count; i++)
    cut += circuit->nets[i]->inside[0] > 0 && circuit->nets[i]->inside[1] > 0;
  return cut;
}

// How many fewer nets are cut if the module changes sides alone.
static int32_t gain_of(const Module *module) {
  int32_t gain = 0;
  for (const Pin *pin = module->pins; pin; pin = pin->next) {
    gain += pin->net->inside[module->half] == 1;
    gain -= pin->net->inside[!module->half] == 0;
  }
  return gain;
}

// Nets that both hold are counted for each although swapping leaves them as they are.
static int32_t shared_loss(const Module *a, const Module *b) {
  int32_t loss = 0;
  for (const Pin *pin = a->pins; pin; pin = pin->next)
    for (const Pin *other = b->pins; other; other = other->next)
      if (pin->net == other->net)
        loss += (pin->net->inside[0] == 1) + (pin->net->inside[1] == 1);
  return loss;
}

static void change_side(Module *module) {
  for (const Pin *pin = module->pins; pin; pin = pin->next) {
    pin->net->inside[module->half]--;
    pin->net->inside[!module->half]++;
  }
  module->half = !module->half;
  for (const Pin *pin = module->pins; pin; pin = pin->next)
    for (const Member *member = pin->net->members; member; member = member->next)
      member->module->gain = gain_of(member->module);
}

static Module *unlinked(Module **link) {
  Module *module = *link;
  *link = module->next;
  return module;
}

// The best pair of free modules, one from each half; removed from their lists.
static Swap *best_swap(Module **free_a, Module **free_b) {
  Module **best_a = free_a;
  Module **best_b = free_b;
  int32_t best = INT32_MIN;
  for (Module **a = free_a; *a; a = &(*a)->next) {
    for (Module **b = free_b; *b; b = &(*b)->next) {
      int32_t gain = (*a)->gain + (*b)->gain;
      if (gain <= best) // the loss only lowers it: most pairs end here
        continue;
      gain -= shared_loss(*a, *b);
      if (gain > best) {
        best = gain;
        best_a = a;
        best_b = b;
      }
    }
  }
  Swap *swap = allocate(sizeof(Swap));
  swap->a = unlinked(best_a);
  swap->b = unlinked(best_b);
  swap->next = NULL;
  return swap;
}

// One pass: swaps all pairs in the order of their gain, then undoes those behind the best prefix.
static uint32_t pass(Circuit *circuit, uint32_t cut, uint64_t *checksum) {
  Module *halves[2] = {NULL, NULL};
  for (uint32_t i = circuit->module_count; i-- > 0;) {
    Module *module = circuit->modules[i];
    module->gain = gain_of(module);
    module->next = halves[module->half];
    halves[module->half] = module;
  }
  Swap *swaps = NULL; // newest first
  const Swap *keep = NULL;
  uint32_t best = cut;
  while (halves[0] && halves[1]) {
    Swap *swap = best_swap(&halves[0], &halves[1]);
    change_side(swap->a);
    change_side(swap->b);
    swap->next = swaps;
    swaps = swap;
    uint32_t now = nets_cut(circuit);
    *checksum = mix(*checksum, ((uint64_t)swap->a->number << 32 | swap->b->number) + now);
    if (now < best) {
      best = now;
      keep = swap;
    }
  }
  bool undo = true;
  while (swaps) {
    Swap *swap = swaps;
    swaps = swap->next;
    undo = undo && swap != keep;
    if (undo) {
      change_side(swap->a);
      change_side(swap->b);
    }
    free(swap);
  }
  return best;
}

static void release(Circuit *circuit) {
  for (uint32_t i = 0; i < circuit->module_count; i++) {
    while (circuit->modules[i]->pins) {
      Pin *pin = circuit->modules[i]->pins;
      circuit->modules[i]->pins = pin->next;
      free(pin);
    }
    free(circuit->modules[i]);
  }
  for (uint32_t i = 0; i < circuit->net_count; i++) {
    while (circuit->nets[i]->members) {
      Member *member = circuit->nets[i]->members;
      circuit->nets[i]->members = member->next;
      free(member);
    }
    free(circuit->nets[i]);
  }
  free(circuit->modules);
  free(circuit->nets);
}

int main(int argc, char **argv) {
  const char *usage = "MODULES NETS";
  uint32_t modules = size_argument(argc, argv, 1, usage);
  uint32_t nets = size_argument(argc, argv, 2, usage);
  Random random = {modules};
  Circuit circuit = build(modules, nets, &random);
  uint32_t before = nets_cut(&circuit);
  uint32_t cut = before;
  uint32_t passes = 0;
  uint64_t checksum = 0;
  for (;;) {
    uint32_t better = pass(&circuit, cut, &checksum);
    passes++;
    if (better == cut)
      break;
    cut = better;
  }
  bool kept = nets_cut(&circuit) == cut;
  release(&circuit);
  printf("ks modules %u nets %u cut %u to %u in %u passes checksum %016llx\n", modules, nets,
         before, cut, passes, (unsigned long long)checksum);
  return kept ? 0 : 1;
}
