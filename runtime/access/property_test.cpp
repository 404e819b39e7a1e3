// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random objects, layouts and accesses, compared with a map of every byte: each pair (site, name)
// is told exactly once and none is missed; in a counting flavour every count is exact. The same
// with ten tags only, where nearly everything is looked up by its address (CMakeLists.txt), and
// with hashes that collide.
#include "runtime/access/blocks.h"
#include "runtime/access/check.h"
#include "runtime/access/checks_for_tests.h"
#include "runtime/access/counts.h"
#include "runtime/access/exact.h"
#include "runtime/access/records.h"
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

struct Place {
  uintptr_t start;
  uint64_t size;
  uint32_t variable; // of locals
};

constexpr uint64_t kUnit = 0x1234;
constexpr uint32_t kSites = 40;
constexpr uint32_t kGlobals = 60;
constexpr uint32_t kLocals = 40;
alignas(16) char g_global_memory[8192];
alignas(16) char g_local_memory[16384];

class World {
public:
  explicit World(uint64_t seed) : random_(seed) {
    // Other tests may have run before.
    g_pairs.clear();
    clear_rows();
    clear_counts();
    told_before_ = accesses_told();
    make_layouts();
    make_rows();
    make_unit();
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
        layouts_.push_back(layout);
      }
    for (TestLayout &layout : layouts_) {
      layout.of.starts = layout.starts.data();
      layout.of.member = layout.member.data();
      plain_layouts_.push_back(layout.of);
    }
  }

  void make_rows() {
    constexpr unsigned kSizes[] = {1, 2, 4, 8, 16, 3, 12};
    for (unsigned repeat = 0; repeat < 3; ++repeat)
      for (unsigned size : kSizes)
        for (unsigned alignment = 1; alignment <= size && alignment <= 16; alignment *= 2) {
          if (size % alignment)
            continue;
          auto site = static_cast<uint32_t>(rows_.size() / 3); // of three sizes and their tails
          rows_.push_back({static_cast<uint32_t>(infos_.size()), size, alignment});
          infos_.push_back({static_cast<uint8_t>(size), 0, static_cast<uint16_t>(alignment), site});
          infos_.push_back({static_cast<uint8_t>(size), CULPRIT_ROW_TAIL, 1, site});
        }
    for (unsigned i = 0; i < 8; ++i) {
      range_rows_.push_back(static_cast<uint32_t>(infos_.size()));
      infos_.push_back({0, 0, 0, 1000 + i});
    }
  }

  uint32_t any_layout() { return static_cast<uint32_t>(below(layouts_.size() * 2)); }

  void make_unit() {
    unit_.id = kUnit;
    unit_.sites = kSites;
    __culprit_register_unit(&unit_);
    for (uint32_t i = 0; i < kSites; ++i) {
      uint32_t layout = any_layout();
      site_layouts_.push_back(layout <= layouts_.size() ? layout : 0);
    }
    uintptr_t at = number(g_global_memory);
    for (uint32_t i = 0; i < kGlobals; ++i) {
      at += below(3) ? below(8) : 0;
      add_variable(at, below(3) ? 1 + below(20) : 1 + below(200));
      at += variables_.back().size;
    }
    ASSERT_LT(at, number(g_global_memory) + sizeof g_global_memory);
    for (uint32_t i = 0; i < kLocals; ++i)
      add_variable(0, below(3) ? 1 + below(20) : 1 + below(200));
    for (culprit_variable &variable : variables_)
      variable.unit = &access_unit_;
    access_unit_ = {};
    access_unit_.id = kUnit;
    access_unit_.unit = &unit_;
    access_unit_.is_main = 1;
    access_unit_.rows = static_cast<uint32_t>(infos_.size());
    access_unit_.globals = kGlobals;
    access_unit_.layouts = static_cast<uint32_t>(layouts_.size());
    access_unit_.site_layouts = kSites;
    access_unit_.row = infos_.data();
    access_unit_.global = variables_.data();
    access_unit_.layout = plain_layouts_.data();
    access_unit_.site_layout = site_layouts_.data();
    __culprit_register_access(&access_unit_);
    for (uint32_t i = 0; i < kGlobals; ++i)
      name_variable(i, number(variables_[i].address), variables_[i].size);
  }

  void add_variable(uintptr_t address, uint64_t size) {
    culprit_variable variable{};
    variable.address = pointer(address);
    variable.size = size;
    variable.index = static_cast<uint32_t>(variables_.size());
    uint32_t layout = any_layout();
    variable.layout = layout <= layouts_.size() ? layout : 0;
    variables_.push_back(variable);
  }

  void name_variable(uint32_t index, uintptr_t address, uint64_t size) {
    const culprit_variable &variable = variables_[index];
    uint32_t kind = index < kGlobals ? CULPRIT_NAME_GLOBAL : CULPRIT_NAME_LOCAL;
    for (uint64_t i = 0; i < size; ++i)
      bytes_[address + i] = {kind, index,
                             variable.layout ? layouts_[variable.layout - 1].member_at(i) : 0};
  }

  void set_context() {
    uint64_t chain = 0;
    for (unsigned i = 0; i < 1 + below(4); ++i)
      chain = chain << 16 | (unit_.base + below(kSites));
    __culprit_context = chain;
  }

  void name_block(uintptr_t start, uint64_t size) {
    uint64_t chain = __culprit_context;
    const TestLayout *layout = nullptr;
    for (uint64_t rest = chain; rest && !layout; rest >>= 16)
      if (uint32_t number = site_layouts_[(rest & 0xffff) - unit_.base])
        layout = &layouts_[number - 1];
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
    uint64_t size = any_size();
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
    block.size = below(2) ? 1 + any_size() : 1 + block.size + below(40) - below(block.size + 1);
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
    culprit_variable &variable = variables_[index];
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
      const culprit_variable &global = variables_[below(kGlobals)];
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
      expected_.insert({first_of_site(row), key});
      if (counted)
        ++counts_[{row, key}];
    }
  }

  uint32_t first_of_site(uint32_t row) const {
    for (uint32_t i = 0; i < infos_.size(); ++i)
      if (infos_[i].site == infos_[row].site)
        return i;
    return row;
  }

  void touch() {
    const TestRow &row = rows_[below(rows_.size())];
    uintptr_t address = any_address() / row.alignment * row.alignment;
    if (!has_room(address, row.size))
      return;
    check_access(address, row.size, row.alignment, row.number);
    uintptr_t end = address + row.size;
    uintptr_t boundary = (address / 16 + 1) * 16;
    expect(row.number, address, std::min(end, boundary), true);
    if (end > boundary)
      expect(row.number + 1, boundary, end, true);
  }

  void touch_range() {
    uintptr_t address = any_address();
    uint64_t size = below(3) ? below(60) : below(4000);
    // Some with the row of single accesses, as a check hoisted out of a loop.
    uint32_t row =
        below(4) ? range_rows_[below(range_rows_.size())] : rows_[below(rows_.size())].number;
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
  std::vector<TestLayout> layouts_;
  std::vector<culprit_layout> plain_layouts_;
  std::vector<TestRow> rows_;
  std::vector<uint32_t> range_rows_;
  std::vector<culprit_row_info> infos_;
  std::vector<uint32_t> site_layouts_;
  std::vector<culprit_variable> variables_;
  culprit_unit unit_{};
  culprit_access_unit access_unit_{};
  std::map<uintptr_t, Key> bytes_;
  std::vector<Place> blocks_;
  std::vector<Place> locals_;
  std::set<Pair> expected_;
  std::map<Pair, uint64_t> counts_;
  uint64_t told_before_ = 0;
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
