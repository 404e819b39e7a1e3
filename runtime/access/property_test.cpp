// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random objects, layouts and accesses, compared with a map of every byte: each pair (site, name)
// is told exactly once and none is missed; in a counting flavour every count is exact. The same
// with ten tags only, where nearly everything is looked up by its address (CMakeLists.txt), and
// with hashes that collide.
#include "runtime/access/blocks.h"
#include "runtime/access/check.h"
#include "runtime/access/checks_for_tests.h"
#include "runtime/access/counts.h"
#include "runtime/access/drawn_unit_for_tests.h"
#include "runtime/access/exact.h"
#include "runtime/access/records.h"
#include "runtime/access/variables.h"
#include "runtime/heap/allocate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

extern "C" const char __culprit_is_monitor;
const char __culprit_is_monitor = 1;
#ifndef TEST_FEATURES
#define TEST_FEATURES (CULPRIT_FEATURE_HEAP | CULPRIT_FEATURE_ACCESS)
#endif
const unsigned char __culprit_features = TEST_FEATURES;

namespace culprit::access {
namespace {

// A name as the test knows it.
struct Key {
  uint32_t kind = ~0u;
  uint64_t object = 0; // chain of a context, or index of a variable
  uint32_t member = 0;
  auto operator<=>(const Key &) const = default;
};
std::ostream &operator<<(std::ostream &out, const Key &key) {
  return out << "kind " << key.kind << " object " << key.object << " member " << key.member;
}
using Pair = std::pair<uint32_t, Key>;

struct Place {
  uintptr_t start;
  uint64_t size;
  uint32_t variable; // of locals
};

alignas(16) char g_local_memory[16384];

class World {
public:
  explicit World(uint64_t seed) : random_(seed) {
    // Other tests may have run before.
    g_pairs.clear();
    clear_rows();
    clear_counts();
    told_before_ = accesses_told();
    // What lies in front of a program's globals is the runtime's, and has a name; here it is a
    // test's.
    constexpr uint64_t kBelow = 4096;
    remove_names(number(unit_.variables[0].address) - kBelow, kBelow);
    for (uint32_t i = 0; i < kGlobals; ++i)
      name_variable(i, number(unit_.variables[i].address), unit_.variables[i].size);
    for (uint32_t i = 1; i < kGlobals; ++i)
      name_padding_below(number(unit_.variables[i].address));
  }

  uint64_t below(uint64_t end) { return random_() % end; }

  void step() {
    switch (below(12)) {
    case 0:
    case 1:
      return blocks_.size() < 60 ? allocate() : release();
    case 2:
      return release();
    case 3:
      return resize();
    case 4:
    case 5:
      return toggle_local();
    case 6:
      return touch_range();
    default:
      for (int i = 0; i < 6; ++i)
        touch();
      for (int i = 0; i < 12 && !counts_here(); ++i)
        touch_together();
    }
  }

  // Every pair is told again, as in a new period.
  void begin_period() {
    compare();
    told_before_ = accesses_told();
    g_pairs.clear();
    clear_rows();
    expected_.clear();
  }

  void compare() {
    std::set<Pair> found;
    g_pairs.for_each([&](const PairTable::Entry &entry) {
      found.insert({PairTable::first_of(entry.key), key_of(PairTable::second_of(entry.key))});
    });
    for (const Pair &pair : expected_)
      EXPECT_TRUE(found.contains(pair)) << "missed: row " << pair.first << " " << pair.second;
    for (const Pair &pair : found)
      EXPECT_TRUE(expected_.contains(pair)) << "wrong: row " << pair.first << " " << pair.second;
    EXPECT_EQ(accesses_told() - told_before_, expected_.size());
    if (counts_here())
      compare_counts();
  }

  uint64_t expected_pairs() const { return expected_.size(); }
  uint64_t joint_checks() const { return joint_checks_; }

  // The map of bytes against the tags, byte by byte.
  void compare_names() {
    for (const Place &block : blocks_)
      for (uintptr_t at = block.start;
           at < block.start + heap::find_object(pointer(block.start)).size; ++at)
        ASSERT_EQ(expected_at(at), found_at(at))
            << "byte " << at - block.start << " of a block of " << block.size;
    for (auto at = number(g_global_memory); at < number(g_global_memory) + sizeof g_global_memory;
         ++at)
      ASSERT_EQ(expected_at(at), found_at(at)) << "global byte " << at;
    for (auto at = number(g_local_memory); at < number(g_local_memory) + sizeof g_local_memory;
         ++at)
      ASSERT_EQ(expected_at(at), found_at(at)) << "local byte " << at;
  }

private:
  static uintptr_t number(const void *address) { return reinterpret_cast<uintptr_t>(address); }
  static void *pointer(uintptr_t address) { return reinterpret_cast<void *>(address); }

  static Key key_of(Name name) {
    const Family &family = g_families[family_of_name(name)];
    uint64_t object = family.kind == CULPRIT_NAME_HEAP || family.kind == CULPRIT_NAME_OUTSIDE
                          ? monitor::chain_of(family.object)
                          : family.object;
    return {family.kind, object, name - family.first};
  }
  static Key found_at(uintptr_t address) {
    Name name = name_of_byte(address);
    return name ? key_of(name) : Key{};
  }
  Key expected_at(uintptr_t address) const {
    auto found = bytes_.find(address);
    return found == bytes_.end() ? Key{} : found->second;
  }

  void name_variable(uint32_t index, uintptr_t address, uint64_t size) {
    const culprit_variable &variable = unit_.variables[index];
    uint32_t kind = index < kGlobals ? CULPRIT_NAME_GLOBAL : CULPRIT_NAME_LOCAL;
    for (uint64_t i = 0; i < size; ++i)
      bytes_[address + i] = {kind, index,
                             variable.layout ? unit_.layouts[variable.layout - 1].member_at(i) : 0};
  }

  // What is nobody's in front of a global is memory of no object.
  void name_padding_below(uintptr_t start) {
    for (uintptr_t at = start - 1; at + CULPRIT_GLOBAL_GAP >= start && !bytes_.contains(at); --at)
      bytes_[at] = {CULPRIT_NAME_OUTSIDE, 0, 0};
  }

  // Half of the time a chain of one site, of which there are few: many blocks of one name.
  void set_context() {
    uint64_t chain = 0;
    for (unsigned i = 0; i < (below(2) ? 1 : 1 + below(4)); ++i)
      chain = chain << 16 | (unit_.unit.base + below(kSites));
    __culprit_context = chain;
  }

  const TestLayout *layout_here() const {
    for (uint64_t rest = __culprit_context; rest; rest >>= 16)
      if (uint32_t number = unit_.site_layouts[(rest & 0xffff) - unit_.unit.base])
        return &unit_.layouts[number - 1];
    return nullptr;
  }

  // Half of the contexts have whole structs only.
  uint64_t size_here(uint64_t size) const {
    const TestLayout *layout = layout_here();
    return layout && __culprit_context % 2 ? (size / layout->of.size + 1) * layout->of.size : size;
  }

  void name_block(uintptr_t start, uint64_t size) {
    uint64_t chain = __culprit_context;
    const TestLayout *layout = layout_here();
    forget(start);
    for (uint64_t i = size; i < heap::find_object(pointer(start)).size; ++i)
      bytes_[start + i] = {CULPRIT_NAME_OUTSIDE, chain, 0};
    for (uint64_t i = 0; i < size; ++i)
      bytes_[start + i] = {CULPRIT_NAME_HEAP, chain, layout ? layout->member_at(i) : 0};
  }

  void forget(uintptr_t start) {
    uint64_t block = heap::find_object(pointer(start)).size;
    for (uint64_t i = 0; i < block; ++i)
      bytes_.erase(start + i);
  }

  uint64_t any_size() {
    return below(400) == 0 ? 100'000 + below(100'000) : below(4) ? below(80) : below(3000);
  }

  void allocate() {
    set_context();
    uint64_t size = size_here(any_size());
    uintptr_t start = 0;
    switch (below(4)) {
    case 0:
      start = number(__culprit_calloc(1, size));
      for (uint64_t i = 0; i < size; ++i)
        ASSERT_EQ(reinterpret_cast<const char *>(start)[i], 0);
      break;
    case 1:
      start = number(__culprit_memalign(64, size));
      break;
    case 2:
      start = number(__culprit_new(size));
      break;
    default:
      start = number(__culprit_malloc(size));
    }
    name_block(start, size);
    blocks_.push_back({start, size, 0});
  }

  void release() {
    if (blocks_.empty())
      return;
    size_t i = below(blocks_.size());
    __builtin_memset(pointer(blocks_[i].start), 0xa5, blocks_[i].size); // for calloc to clear
    forget(blocks_[i].start); // the next there may be a block of gtest's
    heap::free(pointer(blocks_[i].start));
    blocks_[i] = blocks_.back();
    blocks_.pop_back();
  }

  void resize() {
    if (blocks_.empty())
      return;
    set_context();
    Place &block = blocks_[below(blocks_.size())];
    forget(block.start);
    block.size =
        size_here(below(2) ? 1 + any_size() : 1 + block.size + below(40) - below(block.size + 1));
    block.start = number(__culprit_realloc(pointer(block.start), block.size));
    name_block(block.start, block.size);
  }

  void toggle_local() {
    if (!locals_.empty() && below(2)) {
      size_t i = below(locals_.size());
      Place gone = locals_[i];
      __culprit_local_off(pointer(gone.start), gone.size);
      for (uint64_t at = 0; at < gone.size; ++at)
        bytes_.erase(gone.start + at);
      locals_[i] = locals_.back();
      locals_.pop_back();
      return;
    }
    auto index = static_cast<uint32_t>(kGlobals + below(kLocals));
    culprit_variable &variable = unit_.variables[index];
    bool sized = below(8) == 0;
    uint64_t size = sized ? 1 + below(100) : variable.size;
    uintptr_t start = number(g_local_memory) + 64 + below(sizeof g_local_memory - 512);
    for (const Place &local : locals_)
      if (start < local.start + local.size && local.start < start + size)
        return;
    if (sized)
      __culprit_local_sized_on(pointer(start), size, &variable);
    else
      __culprit_local_on(pointer(start), &variable);
    name_variable(index, start, size);
    locals_.push_back({start, size, index});
  }

  // Somewhere in or just beside an object.
  uintptr_t any_address() {
    const std::vector<Place> &places = below(2) && !locals_.empty() ? locals_ : blocks_;
    if (below(3) == 0 || places.empty()) {
      const culprit_variable &global = unit_.variables[below(kGlobals)];
      return number(global.address) + below(global.size);
    }
    const Place &place = places[below(places.size())];
    return place.start + below(place.size + 8);
  }

  void expect(uint32_t row, uintptr_t from, uintptr_t to, bool counted) {
    std::set<Key> met;
    for (uintptr_t at = from; at < to; ++at)
      if (Key key = expected_at(at); key != Key{})
        met.insert(key);
    for (const Key &key : met) {
      expected_.insert({unit_.first_of_site(row), key});
      if (counted)
        ++counts_[{row, key}];
    }
  }

  void touch() {
    const TestRow &row = unit_.rows[below(unit_.rows.size())];
    uintptr_t address = any_address() / row.alignment * row.alignment;
    if (!has_room(address, row.size))
      return;
    check_access(address, row.size, row.alignment, row.number);
    expect_access(address, row, true);
  }

  void expect_access(uintptr_t address, const TestRow &row, bool counted) {
    uintptr_t end = address + row.size;
    uintptr_t boundary = (address / 16 + 1) * 16;
    expect(row.number, address, std::min(end, boundary), counted);
    if (end > boundary)
      expect(row.number + 1, boundary, end, counted);
  }

  void touch_together() {
    const TestJoint &joint = unit_.joints[below(unit_.joints.size())];
    std::vector<std::pair<uintptr_t, TestRow>> all;
    uintptr_t first = any_address() / joint.first.alignment * joint.first.alignment;
    all.emplace_back(first, joint.first);
    for (const TestJoint::Other &other : joint.others)
      all.emplace_back(first + static_cast<uint64_t>(other.distance), other.row);
    for (const auto &[address, row] : all)
      if (address % row.alignment || !has_room(address, row.size))
        return;
    joint_checks_ += check_joint(first, joint.set, 0, [&, &parts = all] {
      for (const auto &[address, row] : parts)
        check_access(address, row.size, row.alignment, row.number);
    });
    for (const auto &[address, row] : all)
      expect_access(address, row, false);
  }

  void touch_range() {
    uintptr_t address = any_address();
    uint64_t size = below(3) ? below(60) : below(4000);
    // Some with the row of single accesses, as a check hoisted out of a loop.
    uint32_t row = below(4) ? unit_.range_rows[below(unit_.range_rows.size())]
                            : unit_.rows[below(unit_.rows.size())].number;
    if (!has_room(address, size))
      return;
    __culprit_access_range(pointer(address), size, row);
    expect(row, address, address + size, true);
  }

  // Freed blocks keep their tags and are not in our map.
  bool has_room(uintptr_t address, uint64_t size) const {
    for (uintptr_t at = address; at < address + size; at += 16)
      if (heap::in_arena(pointer(at)) && !heap::find_object(pointer(at)).live)
        return false;
    return !heap::in_arena(pointer(address + size)) ||
           heap::find_object(pointer(address + size)).live;
  }

  void compare_counts() {
    std::map<Pair, uint64_t> found;
    take_counts(
        [](void *argument, const culprit_count_row &row) {
          auto &to = *static_cast<std::map<Pair, uint64_t> *>(argument);
          to[{row.row, key_of(row.name)}] += row.count;
        },
        &found);
    for (const auto &[pair, count] : counts_)
      EXPECT_EQ(found[pair], count) << "row " << pair.first << " " << pair.second;
    EXPECT_EQ(found.size(), counts_.size());
    counts_.clear();
  }

  std::mt19937_64 random_;
  DrawnUnit unit_{random_};
  std::map<uintptr_t, Key> bytes_;
  std::vector<Place> blocks_;
  std::vector<Place> locals_;
  std::set<Pair> expected_;
  std::map<Pair, uint64_t> counts_;
  uint64_t told_before_ = 0;
  uint64_t joint_checks_ = 0;
};

// One for all tests: units, rows and names of a process are never given back.
World &world() {
  static World only(4711);
  return only;
}

void run(unsigned steps) {
  World &here = world();
  for (unsigned i = 0; i < steps && !testing::Test::HasFailure(); ++i) {
    here.step();
    if (i % 5000 == 0)
      here.compare_names();
  }
  here.compare_names();
  here.compare();
}

TEST(AccessProperty, EveryPairIsToldOnceAndNoneIsMissed) {
  run(20'000);
  EXPECT_GT(world().expected_pairs(), 1000u);
  if (!counts_here() && kind_counts().missing == 0) // what has no tag is looked up one by one
    EXPECT_GT(world().joint_checks(), 300u);
}

TEST(AccessProperty, EveryPairIsToldAgainInANewPeriod) {
  world().begin_period();
  run(10'000);
}

TEST(AccessProperty, CollidingHashesLoseNoPair) {
  const uint64_t kMasks[] = {0, ~uint64_t{0}};
  for (uint64_t mask : kMasks) {
    world().begin_period();
    clear_counts();
    g_pair_hash_mask = mask;
    run(300);
  }
}

} // namespace
} // namespace culprit::access
