// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eight threads allocate, write and free, with locals on their stacks and blocks they share, while
// periods begin and monitoring is switched off and on. Afterwards, all joined, every pair of the
// last period that must have been met is known. Built with the runtime's own sources under
// ThreadSanitizer, as threads.cpp. Usage: accesses [STEPS]
#include "runtime/access/check.h"
#include "runtime/access/checks_for_tests.h"
#include "runtime/access/exact.h"
#include "runtime/access/switch.h"
#include "runtime/heap/allocate.h"
#include "runtime/monitor/state.h"
#include "test/runtime/stress/eight_threads.h"

#include <chrono>
#include <cstdio>

const unsigned char __culprit_features = CULPRIT_FEATURE_HEAP | CULPRIT_FEATURE_ACCESS;

namespace {

using namespace culprit;
using stress::next;

constexpr uint32_t kRows = 64;
constexpr uint32_t kLocals = 32;

culprit_row_info g_infos[kRows];
culprit_variable g_locals[kLocals];
uint32_t g_starts[] = {0, 4, 8, 20};
uint32_t g_members[] = {0, 1, 2, 1};
culprit_layout g_layout{24, 4, 3, 0, g_starts, g_members};
uint32_t g_site_layouts[40];
culprit_unit g_unit{77, 40, 0};
culprit_access_unit g_access_unit;
char *g_shared[64];

void make_unit() {
  for (uint32_t i = 0; i < kRows; ++i)
    g_infos[i] = {static_cast<uint8_t>(1u << i % 4), 0, static_cast<uint16_t>(1u << i % 4), i};
  for (uint32_t i = 0; i < kLocals; ++i)
    g_locals[i] = {nullptr, 1 + i * 5 % 60, &g_access_unit, i, i % 3 == 0, 0, 0, nullptr};
  for (uint32_t i = 0; i < 40; ++i)
    g_site_layouts[i] = i % 2;
  __culprit_register_unit(&g_unit);
  g_access_unit.id = g_unit.id;
  g_access_unit.unit = &g_unit;
  g_access_unit.is_main = 1;
  g_access_unit.rows = kRows;
  g_access_unit.layouts = 1;
  g_access_unit.site_layouts = 40;
  g_access_unit.row = g_infos;
  g_access_unit.layout = &g_layout;
  g_access_unit.site_layout = g_site_layouts;
  __culprit_register_access(&g_access_unit);
}

char *make(uint64_t &state, size_t &size) {
  __culprit_context = g_unit.base + next(state) % 40;
  size = next(state) % 32 == 0 ? 200'000 : 24 + next(state) % 100;
  return static_cast<char *>(__culprit_malloc(size));
}

void touch(char *at, size_t size, uint64_t &state) {
  auto row = static_cast<uint32_t>(next(state) % kRows);
  unsigned width = g_infos[row].size;
  auto address = reinterpret_cast<uintptr_t>(at) + next(state) % size;
  access::check_access(address / width * width, width, width, row);
}

void work(uint64_t seed, unsigned steps) {
  uint64_t state = seed;
  char *mine = nullptr;
  size_t size = 0;
  alignas(16) char frame[4096];
  for (unsigned step = 0; step < steps; ++step) {
    switch (next(state) % 6) {
    case 0:
      heap::free(mine);
      mine = make(state, size);
      break;
    case 1: {
      size_t ignored;
      char **place = &g_shared[next(state) % 64];
      heap::free(__atomic_exchange_n(place, make(state, ignored), __ATOMIC_ACQ_REL));
      break;
    }
    case 2: { // stale as it may be
      char *other = __atomic_load_n(&g_shared[next(state) % 64], __ATOMIC_ACQUIRE);
      if (other)
        touch(other, 24, state);
      break;
    }
    case 3: {
      culprit_variable &variable = g_locals[next(state) % kLocals];
      char *at = frame + next(state) % 4000;
      __culprit_local_on(at, &variable);
      touch(at, variable.size, state);
      __culprit_local_off(at, variable.size);
      break;
    }
    case 4:
      if (mine)
        __culprit_access_range(mine, size, static_cast<uint32_t>(next(state) % kRows));
      break;
    default:
      if (mine)
        touch(mine, size, state);
    }
  }
  heap::free(mine);
}

// Every row meets every member of a block once more: nothing may be missing afterwards.
unsigned missing_pairs() {
  unsigned missing = 0;
  uint64_t state = 99;
  for (unsigned round = 0; round < 200; ++round) {
    size_t size;
    char *block = make(state, size);
    for (uint32_t row = 0; row < kRows; ++row) {
      unsigned width = g_infos[row].size;
      auto start = reinterpret_cast<uintptr_t>(block);
      for (uintptr_t at = start; at + width <= start + 24; at += width) {
        access::check_access(at, width, width, row);
        for (uintptr_t byte = at; byte < at + width; ++byte)
          missing += !access::g_pairs.has(row, access::name_of_byte(byte));
      }
    }
    heap::free(block);
  }
  return missing;
}

} // namespace

int main(int count, char **arguments) {
  unsigned steps = stress::steps_of(count, arguments);
  if (!monitor::ensure())
    return 2;
  make_unit();
  unsigned missing = 0;
  for (unsigned round = 0; round < 3; ++round) {
    stress::run_round(round, steps, work, [] {
      access::switch_off();
      access::switch_on();
      access::g_pairs.clear();
      access::clear_rows();
      // A pair forgotten while a range is checked is told again, with the whole range looked at:
      // without a pause every granule of a large block would be.
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    });
    access::g_pairs.clear();
    access::clear_rows();
    missing += missing_pairs();
    printf("round %u: %lu pairs, %u missing\n", round,
           static_cast<unsigned long>(access::g_pairs.count()), missing);
  }
  return missing ? 1 : 0;
}
