// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See symbolic.h.
#include "engine/explain/symbolic.h"

#include "engine/explain/value_text.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace culprit::explain {
namespace {

constexpr uint64_t kWord = 8;
constexpr uint64_t kHalf = 4;

bool is_root(const Region &region) {
  return region.bytes &&
         (region.kind == CULPRIT_REGION_GLOBAL || region.kind == CULPRIT_REGION_LOCAL ||
          region.kind == CULPRIT_REGION_ARGUMENT);
}

// What a pointer leads to and what is not a root itself.
const Region *block_at(const Snapshot &snapshot, const std::optional<Place> &place) {
  const Region *region = place ? snapshot.find(place->region) : nullptr;
  return region != nullptr && region->kind == CULPRIT_REGION_BLOCK && region->bytes ? region
                                                                                    : nullptr;
}

std::string root_name(const Region &region, const Side &side) {
  if (region.kind == CULPRIT_REGION_ARGUMENT)
    return region.number == 0 ? "argv" : fmt::format("argv[{}]", region.number - 1);
  const Name *name = side.tables.name(region.number);
  return name == nullptr || name->name.empty() ? "(temporary)" : name->name;
}

class Comparison {
public:
  Comparison(const Side &target, const Side &source) : target_(target), source_(source) {}

  std::vector<PathDifference> run() {
    for (const Region &x : target_.snapshot.regions())
      if (const Region *y = source_.snapshot.find(x.index);
          is_root(x) && y != nullptr && is_root(*y))
        visit({&x, 0}, {y, 0}, root_name(x, target_), false);
    while (!open_.empty()) {
      const Pair pair = std::move(open_.front());
      open_.pop_front();
      compare(pair);
    }
    for (PathDifference &each : found_)
      each.aliased = references_[each.at.at.region].size() > 1;
    return std::move(found_);
  }

private:
  struct Spot {
    const Region *region;
    uint64_t offset;
  };
  struct Pair {
    Spot x;
    Spot y;
    std::string path;
    bool behind_pointer;
  };

  // A pointer may go behind what a region holds, to the room that it has.
  static uint64_t left(const Spot &spot) {
    return Snapshot::bytes(*spot.region, spot.offset).size();
  }

  void visit(const Spot &x, const Spot &y, std::string path, bool behind_pointer) {
    if (seen_.insert({{x.region->index, x.offset}, {y.region->index, y.offset}}).second)
      open_.push_back({x, y, std::move(path), behind_pointer});
  }

  static std::string part(const Pair &pair, uint64_t at) {
    if (pair.behind_pointer)
      return fmt::format("{}->({})", pair.path, at);
    return at == 0 ? pair.path : fmt::format("{}+{}", pair.path, at);
  }

  void add(const Pair &pair, uint64_t at, uint64_t size) {
    found_.push_back({{{pair.x.region->index, pair.x.offset + at}, static_cast<uint32_t>(size)},
                      {pair.y.region->index, pair.y.offset + at},
                      part(pair, at)});
  }

  void compare_bytes(const Pair &pair, uint64_t from, uint64_t end) {
    for (uint64_t at = from; at < end; at += kHalf) {
      const uint64_t size = std::min(kHalf, end - at);
      const auto bytes = [&](const Spot &spot) {
        return Snapshot::bytes(*spot.region, spot.offset + at, size);
      };
      if (bytes(pair.x) != bytes(pair.y))
        add(pair, at, size);
    }
  }

  // False: they are no pointers.
  bool compare_pointers(const Pair &pair, uint64_t at) {
    const auto to_x = target_.snapshot.place_of(Snapshot::word(*pair.x.region, pair.x.offset + at));
    const auto to_y = source_.snapshot.place_of(Snapshot::word(*pair.y.region, pair.y.offset + at));
    if (!to_x && !to_y)
      return false;
    const Region *block_x = block_at(target_.snapshot, to_x);
    const Region *block_y = block_at(source_.snapshot, to_y);
    if (block_x != nullptr)
      references_[to_x->region].insert({pair.x.region->index, pair.x.offset + at});
    if (block_x != nullptr && block_y != nullptr)
      visit({block_x, to_x->offset}, {block_y, to_y->offset}, part(pair, at), true);
    else if (!to_x || !to_y)
      add(pair, at, kWord);
    return true;
  }

  void compare(const Pair &pair) {
    const uint64_t end = std::min(left(pair.x), left(pair.y));
    uint64_t at = 0;
    for (; at + kWord <= end; at += kWord)
      if ((pair.x.offset + at) % kWord != 0 || !compare_pointers(pair, at))
        compare_bytes(pair, at, at + kWord);
    compare_bytes(pair, at, end);
  }

  const Side &target_;
  const Side &source_;
  std::deque<Pair> open_;
  std::set<std::pair<Place, Place>> seen_;
  std::unordered_map<uint64_t, std::set<Place>> references_; // in the target, by region
  std::vector<PathDifference> found_;
};

std::string pointer_text(const Snapshot &snapshot, uint64_t word) {
  if (word == 0)
    return "NULL";
  return snapshot.place_of(word) ? "an object" : fmt::format("{:#x}", word);
}

} // namespace

NamedValue PathDifference::describe(const Snapshot &target, const Snapshot &source) const {
  const Region &here = *target.find(at.at.region);
  const Region &there = *source.find(from.region);
  if (at.size == kWord)
    return {path, pointer_text(target, Snapshot::word(here, at.at.offset)),
            pointer_text(source, Snapshot::word(there, from.offset))};
  return {path, untyped_value(std::string_view(*here.bytes).substr(at.at.offset, at.size), true),
          untyped_value(std::string_view(*there.bytes).substr(from.offset, at.size), true)};
}

std::vector<PathDifference> compare_by_path(const Side &target, const Side &source) {
  return Comparison(target, source).run();
}

PathCounts count(std::span<const PathDifference> differences) {
  std::map<Place, bool> places;
  for (const PathDifference &each : differences)
    places[each.at.at] = each.aliased;
  PathCounts counts{.differences = places.size()};
  for (const auto &[place, aliased] : places)
    counts.aliases += aliased ? 1 : 0;
  return counts;
}

std::string make_patch(std::span<const PathDifference> differences, const Snapshot &target,
                       const Snapshot &source) {
  std::string rows;
  for (const PathDifference &each : differences) {
    const Region &here = *target.find(each.at.at.region);
    const Region &there = *source.find(each.from.region);
    std::string_view bytes = std::string_view(*there.bytes).substr(each.from.offset, each.at.size);
    // A pointer to what no path of the target leads to: there is nothing it could be set to.
    if (each.at.size == kWord && source.place_of(Snapshot::word(there, each.from.offset)))
      continue;
    const culprit_patch_row row{CULPRIT_PATCH_BYTES,
                                static_cast<uint32_t>(bytes.size()),
                                0,
                                0,
                                here.address + each.at.at.offset,
                                0};
    rows.append(reinterpret_cast<const char *>(&row), sizeof row);
    rows.append(bytes);
    rows.resize((rows.size() + 7) / 8 * 8);
  }
  return rows;
}

} // namespace culprit::explain
