// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects come and go, COUNT of them: blocks of 400 allocation contexts, with members and without,
// of all sizes, resized, freed out of order and written after that; between them calls whose
// functions have named locals, threads that end, and monitoring that is off for a while. All are
// written through checks as instrumented code has them. After 1/100, 1/10 and all of them a line of
// JSON says how large every table is that could grow. Usage: objects COUNT
#include "runtime/access/blocks.h"
#include "runtime/access/check.h"
#include "runtime/access/counts.h"
#include "runtime/access/exact.h"
#include "runtime/access/records.h"
#include "runtime/access/switch.h"
#include "runtime/access/unit_for_tests.h"
#include "runtime/heap/allocate.h"
#include "runtime/monitor/contexts.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>
#include <vector>

extern "C" const char __culprit_is_monitor;
const char __culprit_is_monitor = 1;
#ifndef CHURN_FEATURES
#define CHURN_FEATURES (CULPRIT_FEATURE_HEAP | CULPRIT_FEATURE_ACCESS)
#endif
const unsigned char __culprit_features = CHURN_FEATURES;

namespace {

using namespace culprit;

constexpr uint64_t kPerThread = 100'000;
constexpr size_t kKept = 4096;
constexpr unsigned kFunctions = 24;
constexpr unsigned kDeepest = 12;
constexpr uint32_t kRows = 12;

struct Block {
  char *start;
  size_t size;
};

struct Program {
  access::TestUnit with_members{
      0xc4001, {1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8}, 40, {0, 8, 12, 24}, true};
  access::TestUnit without{0xc4002, {8}, 0, {}, false};
  std::vector<culprit_variable> locals;
  std::vector<Block> kept = std::vector<Block>(kKept);
  uint64_t state = 88172645463325252;

  Program() {
    with_members.enter();
    without.enter();
    for (uint32_t i = 0; i < kFunctions * 2; ++i)
      locals.push_back(with_members.local(i, 1 + i * 7 % 90, i % 3 == 0));
  }

  uint64_t below(uint64_t end) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % end;
  }

  void set_context() {
    const access::TestUnit &unit = below(3) ? with_members : without;
    __culprit_context = unit.site(static_cast<uint32_t>(below(10))) << 16 |
                        unit.site(static_cast<uint32_t>(10 + below(20)));
  }

  size_t any_size() {
    uint64_t kind = below(10'000);
    return kind == 0 ? 150'000 + below(100'000) : kind < 100 ? 1 + below(8000) : 1 + below(200);
  }

  void write(const char *at, size_t size) {
    auto row = static_cast<uint32_t>(below(kRows));
    unsigned width = 1u << row % 4;
    uintptr_t address = access::number(at) + below(size);
    access::check_access(address / width * width, width, width, with_members.row(row));
  }

  void renew(Block &block) {
    heap::free(block.start);
    if (block.start && below(50) == 0)
      write(block.start, block.size); // dangling
    set_context();
    block.size = any_size();
    block.start = static_cast<char *>(__culprit_malloc(block.size));
    if (below(8) == 0) {
      set_context();
      block.size = any_size();
      block.start = static_cast<char *>(__culprit_realloc(block.start, block.size));
    }
    write(block.start, block.size);
    write(block.start, block.size);
  }

  // A function has two locals, always at the same place of its frame.
  void call(unsigned depth) {
    auto function = static_cast<unsigned>(below(kFunctions));
    alignas(16) char frame[256];
    culprit_variable &first = locals[function * 2];
    culprit_variable &second = locals[function * 2 + 1];
    char *first_at = frame + function % 5 * 4;
    char *second_at = first_at + first.size + function % 3;
    __culprit_local_on(first_at, &first);
    __culprit_local_on(second_at, &second);
    write(first_at, first.size);
    __culprit_access_range(second_at, second.size, with_members.row(0));
    if (depth)
      call(depth - 1);
    __culprit_local_off(second_at, second.size);
    __culprit_local_off(first_at, first.size);
  }

  void run(uint64_t objects) {
    for (uint64_t i = 0; i < objects; ++i) {
      renew(kept[below(kKept)]);
      if (below(32) == 0)
        call(static_cast<unsigned>(below(kDeepest)));
      if (below(20'000) == 0)
        access::is_switched_off() ? access::switch_on() : access::switch_off();
    }
    access::switch_on();
  }
};

uint64_t resident_bytes() {
  FILE *file = fopen("/proc/self/statm", "r");
  unsigned long total = 0;
  unsigned long resident = 0;
  int read = file ? fscanf(file, "%lu %lu", &total, &resident) : 0;
  if (file)
    fclose(file);
  return read == 2 ? resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

void print(uint64_t objects) {
  const std::pair<const char *, uint64_t> values[] = {
      {"objects", objects},
      {"contexts", monitor::context_count()},
      {"families", access::family_count()},
      {"names", access::name_count()},
      {"tags", access::kind_counts().tags},
      {"exact", access::exact_granules()},
      {"pairs", access::g_pairs.count()},
      {"counted", access::is_counting() ? access::count_entries() : 0},
      {"slow", access::check_counts().slow},
      {"blocks", access::peak_block_bytes()},
      {"resident", resident_bytes()},
  };
  char separator = '{';
  for (const auto &[name, value] : values) {
    printf("%c\"%s\": %lu", separator, name, static_cast<unsigned long>(value));
    separator = ',';
  }
  printf("}\n");
  fflush(stdout);
}

} // namespace

int main(int count, char **arguments) {
  uint64_t objects = count > 1 ? strtoull(arguments[1], nullptr, 10) : 1'000'000;
  Program program;
  uint64_t done = 0;
  for (uint64_t part : {objects / 100, objects / 10, objects}) {
    while (done < part) {
      uint64_t next = part - done < kPerThread ? part - done : kPerThread;
      std::thread([&] { program.run(next); }).join();
      done += next;
    }
    print(done);
  }
  return 0;
}
