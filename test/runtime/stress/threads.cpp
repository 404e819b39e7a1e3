// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eight threads allocate, link and free through the hooks while metric points are made; afterwards,
// all threads joined, the graph must equal a full scan. Built with the runtime's own sources under
// ThreadSanitizer (CMakeLists.txt): the heap here serves the hooks alone, malloc is the
// sanitizer's. Usage: threads [STEPS]
#include "runtime/heap/allocate.h"
#include "runtime/monitor/hooks_for_tests.h"
#include "runtime/monitor/point.h"
#include "runtime/monitor/state.h"
#include "runtime/monitor/verify.h"
#include "test/runtime/stress/eight_threads.h"

#include <cstdio>
#include <vector>

namespace {

using namespace culprit;
using stress::next;

constexpr size_t kSlots = 400;

struct Block {
  char *start;
  size_t size;
};

// Blocks all threads link to; owned by nobody, freed by whoever takes them out.
char *g_shared[64];

size_t any_size(uint64_t &state) {
  uint64_t kind = next(state) % 64;
  return kind == 0 ? 200'000 : kind < 4 ? 5000 + next(state) % 5000 : 16 + next(state) % 200;
}

Block make(uint64_t &state) {
  size_t size = any_size(state);
  return {static_cast<char *>(__culprit_malloc(size)), size};
}

void link(Block from, const char *to, uint64_t &state) {
  if (from.start)
    monitor::store(from.start + next(state) % (from.size / 8) * 8, to);
}

void work(uint64_t seed, unsigned steps) {
  uint64_t state = seed;
  std::vector<Block> blocks(kSlots);
  for (unsigned step = 0; step < steps; ++step) {
    monitor::enter_function();
    __culprit_context = seed << 16 | (1 + next(state) % 50);
    Block &mine = blocks[next(state) % kSlots];
    switch (next(state) % 8) {
    case 0:
      heap::free(mine.start);
      mine = {};
      break;
    case 1:
    case 2:
      if (!mine.start)
        mine = make(state);
      break;
    case 3:
      if (mine.start) {
        mine.size = any_size(state);
        mine.start = static_cast<char *>(__culprit_realloc(mine.start, mine.size));
      }
      break;
    case 4: {
      char **place = &g_shared[next(state) % 64];
      heap::free(__atomic_exchange_n(place, make(state).start, __ATOMIC_ACQ_REL));
      break;
    }
    case 5: // stale as it may be
      link(mine, __atomic_load_n(&g_shared[next(state) % 64], __ATOMIC_ACQUIRE), state);
      break;
    default:
      link(mine, blocks[next(state) % kSlots].start, state);
      break;
    }
  }
  for (size_t i = 0; i < kSlots; i += 2)
    heap::free(blocks[i].start);
}

} // namespace

int main(int count, char **arguments) {
  unsigned steps = stress::steps_of(count, arguments);
  monitor::ensure();
  uint64_t mismatches = 0;
  for (unsigned round = 0; round < 3; ++round) {
    stress::run_round(round, steps, work, [] { monitor::make_point(); });
    if (!monitor::make_point())
      return 2;
    mismatches += monitor::verify_graph(0, 1);
    printf("round %u: %u points, %lu mismatches\n", round, monitor::point_index(),
           static_cast<unsigned long>(mismatches));
  }
  return mismatches ? 1 : 0;
}
