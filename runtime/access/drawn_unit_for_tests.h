// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A unit drawn at random and registered: layouts of all sizes, plain ones, with members of several
// ranges and with a rest; rows of all sizes and alignments, three to a site, some of ranges, and
// joint ones; globals that lie close together in a memory of their own; locals, which have no place
// yet.
#pragma once

#include "runtime/access/checks_for_tests.h"
#include "runtime/access/families.h"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

namespace culprit::access {

struct TestLayout {
  std::vector<uint32_t> starts;
  std::vector<uint32_t> member;
  culprit_layout of{};

  uint32_t member_at(uint64_t offset) const {
    if (of.members < 2 || phases() > kMaxPhases)
      return 0;
    if (offset >= of.size) {
      if (of.rest)
        return of.rest - 1;
      offset %= of.size;
    }
    auto range = std::upper_bound(starts.begin(), starts.end(), offset) - starts.begin() - 1;
    return member[static_cast<size_t>(range)];
  }
  uint32_t phases() const {
    if (of.rest)
      return (of.size + 15) / 16 + 1;
    uint32_t size = of.size;
    unsigned halvings = 0;
    for (; halvings < 4 && size % 2 == 0; ++halvings)
      size /= 2;
    return size;
  }
};

struct TestRow {
  uint32_t number;
  unsigned size;
  unsigned alignment;
};

// Accesses that share a check: the first, and others at a distance from it.
struct TestJoint {
  struct Other {
    TestRow row;
    int64_t distance;
  };
  TestRow first;
  std::vector<Other> others;
  TestSet set;
};

inline constexpr uint64_t kUnit = 0x1234;
inline constexpr uint32_t kSites = 40;
inline constexpr uint32_t kGlobals = 60;
inline constexpr uint32_t kLocals = 40;
alignas(16) inline char g_global_memory[8192];

class DrawnUnit {
public:
  explicit DrawnUnit(std::mt19937_64 &random) : random_(random) {
    make_layouts();
    make_rows();
    make_unit();
  }

  // The row that stands for all of its site.
  uint32_t first_of_site(uint32_t row) const {
    for (uint32_t i = 0; i < infos.size(); ++i)
      if (infos[i].site == infos[row].site)
        return i;
    return row;
  }

  std::vector<TestLayout> layouts;
  std::vector<culprit_layout> plain_layouts;
  std::vector<TestRow> rows;
  std::vector<uint32_t> range_rows;
  std::vector<TestJoint> joints;
  std::vector<culprit_row_info> infos;
  std::vector<uint32_t> site_layouts;
  std::vector<culprit_variable> variables; // globals first
  culprit_unit unit{};
  culprit_access_unit access_unit{};

private:
  uint64_t below(uint64_t end) { return random_() % end; }
  static uintptr_t number(const void *address) { return reinterpret_cast<uintptr_t>(address); }

  void make_layouts() {
    constexpr uint32_t kSizes[] = {8, 16, 24, 32, 40, 48, 72, 100, 17, 300, 1025, 2050, 4096};
    for (uint32_t size : kSizes)
      for (int rest = 0; rest < 2; ++rest) {
        TestLayout layout;
        for (uint32_t at = 0; at < size; at += 1 + static_cast<uint32_t>(below(1 + size / 3))) {
          layout.starts.push_back(at);
          // Some members have several ranges.
          uint32_t next = layout.of.members;
          bool again = next > 1 && below(4) == 0;
          layout.member.push_back(again ? static_cast<uint32_t>(below(next)) : next);
          layout.of.members += !again;
        }
        layout.of.size = size;
        layout.of.ranges = static_cast<uint32_t>(layout.starts.size());
        layout.of.rest = rest ? 1 + static_cast<uint32_t>(below(layout.of.members)) : 0;
        layouts.push_back(layout);
      }
    // As most structs are: scalars, each a member.
    for (uint32_t size : {24u, 32u, 40u, 48u, 64u, 72u}) {
      TestLayout layout;
      for (uint32_t at = 0; at < size; at += at % 8 == 0 && below(2) ? 8 : 4) {
        layout.starts.push_back(at);
        layout.member.push_back(layout.of.members++);
      }
      layout.of.size = size;
      layout.of.ranges = layout.of.members;
      layouts.push_back(layout);
    }
    for (TestLayout &layout : layouts) {
      layout.of.starts = layout.starts.data();
      layout.of.member = layout.member.data();
      plain_layouts.push_back(layout.of);
    }
  }

  void make_rows() {
    constexpr unsigned kSizes[] = {1, 2, 4, 8, 16, 3, 12};
    for (unsigned repeat = 0; repeat < 3; ++repeat)
      for (unsigned size : kSizes)
        for (unsigned alignment = 1; alignment <= size && alignment <= 16; alignment *= 2) {
          if (size % alignment)
            continue;
          auto site = static_cast<uint32_t>(rows.size() / 3); // of three sizes and their tails
          rows.push_back({static_cast<uint32_t>(infos.size()), size, alignment});
          infos.push_back({static_cast<uint8_t>(size), 0, static_cast<uint16_t>(alignment), site});
          infos.push_back({static_cast<uint8_t>(size), CULPRIT_ROW_TAIL, 1, site});
        }
    for (unsigned i = 0; i < 8; ++i) {
      range_rows.push_back(static_cast<uint32_t>(infos.size()));
      infos.push_back({0, 0, 0, 1000 + i});
    }
    while (joints.size() < 12)
      make_joint(1 + below(3));
  }

  // One that the pass would join.
  const TestRow &simple_row() {
    for (;;) {
      const TestRow &row = rows[below(rows.size())];
      bool is_power = (row.size & (row.size - 1)) == 0;
      if (is_power && row.alignment >= std::min(row.size, 8u))
        return row;
    }
  }

  void make_joint(uint64_t others) {
    TestRow first = simple_row();
    auto joint = static_cast<uint32_t>(infos.size());
    joints.push_back({first, {}, TestSet(first.number, joint)});
    for (uint64_t i = 0; i < others; ++i) {
      joints.back().others.push_back({simple_row(), static_cast<int64_t>(below(5)) * 8 - 16});
      const TestJoint::Other &other = joints.back().others.back();
      joints.back().set.add(other.distance, other.row.number);
    }
    culprit_row_info info = infos[first.number];
    info.flags |= CULPRIT_ROW_JOINT;
    infos.insert(infos.end(), 2, info);
  }

  uint32_t any_layout() { return static_cast<uint32_t>(below(layouts.size() * 2)); }

  void make_unit() {
    unit.id = kUnit;
    unit.sites = kSites;
    __culprit_register_unit(&unit);
    for (uint32_t i = 0; i < kSites; ++i) {
      uint32_t layout = any_layout();
      site_layouts.push_back(layout <= layouts.size() ? layout : 0);
    }
    uintptr_t at = number(g_global_memory);
    for (uint32_t i = 0; i < kGlobals; ++i) {
      at += below(3) ? below(8) : 0;
      add_variable(at, below(3) ? 1 + below(20) : 1 + below(200));
      at += variables.back().size;
    }
    if (at >= number(g_global_memory) + sizeof g_global_memory)
      abort();
    for (uint32_t i = 0; i < kLocals; ++i)
      add_variable(0, below(3) ? 1 + below(20) : 1 + below(200));
    for (culprit_variable &variable : variables)
      variable.unit = &access_unit;
    access_unit = {};
    access_unit.id = kUnit;
    access_unit.unit = &unit;
    access_unit.is_main = 1;
    access_unit.rows = static_cast<uint32_t>(infos.size());
    access_unit.globals = kGlobals;
    access_unit.layouts = static_cast<uint32_t>(layouts.size());
    access_unit.site_layouts = kSites;
    access_unit.row = infos.data();
    access_unit.global = variables.data();
    access_unit.layout = plain_layouts.data();
    access_unit.site_layout = site_layouts.data();
    __culprit_register_access(&access_unit);
  }

  void add_variable(uintptr_t address, uint64_t size) {
    culprit_variable variable{};
    variable.address = reinterpret_cast<void *>(address);
    variable.size = size;
    variable.index = static_cast<uint32_t>(variables.size());
    uint32_t layout = any_layout();
    variable.layout = layout <= layouts.size() ? layout : 0;
    variables.push_back(variable);
  }

  std::mt19937_64 &random_;
};

} // namespace culprit::access
