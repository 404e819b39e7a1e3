// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See replacement.h.
#include "engine/explain/replacement.h"

#include "engine/explain/open_file.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace culprit::explain {
namespace {

constexpr uint64_t kWord = 8;

// Calls `each` with the place that each word of a region points to, if it points to one.
template <typename Each>
void for_each_word(const Region &region, const Snapshot &snapshot, const Each &each) {
  for (uint64_t at = 0; at + kWord <= region.size; at += kWord)
    each(at, snapshot.place_of(Snapshot::word(region, at)));
}

bool is_own(const Region &region) {
  return region.bytes &&
         (region.kind == CULPRIT_REGION_BLOCK || region.kind == CULPRIT_REGION_ARGUMENT);
}

class Patch {
public:
  Patch(const Snapshot &target, const Snapshot &source) : target_(target), source_(source) {}

  void take(const Difference &difference) {
    if (is_file_index(difference.at.region))
      return take_file(difference.at.region);
    const Region &to = *target_.find(difference.at.region);
    const Region &from = *source_.find(difference.at.region);
    if (difference.size == 0)
      return take_block(to, from);
    const auto pointed = difference.size == kWord
                             ? source_.place_of(Snapshot::word(from, difference.at.offset))
                             : std::nullopt;
    const Spot spot{0, to.address + difference.at.offset};
    if (pointed)
      point(spot, *pointed);
    else
      write(spot, std::string_view(*from.bytes).substr(difference.at.offset, difference.size));
  }

  bool is_file_index(uint64_t index) const {
    const Region *region = source_.find(index);
    return is_file(region != nullptr ? *region : *target_.find(index));
  }

  // As large as the other's, with all it holds.
  void take_block(const Region &to, const Region &from) {
    add({CULPRIT_PATCH_RESIZE, 0, 0, 0, to.address, from.size});
    fill({0, to.address}, from);
  }

  // It holds what the other's does, and stands there.
  void take_file(uint64_t index) {
    const Region *to = target_.find(index);
    const Region *from = source_.find(index);
    const uint32_t descriptor = (from != nullptr ? from : to)->number;
    const auto here = open_file(to, descriptor);
    const auto there = open_file(from, descriptor);
    if (!there) {
      add({CULPRIT_PATCH_CLOSE, 0, 0, descriptor, 0, 0});
      return;
    }
    if (there->contents && (!here || here->contents != there->contents))
      add({CULPRIT_PATCH_CONTENTS, static_cast<uint32_t>(there->contents->size()), 0, descriptor, 0,
           0},
          *there->contents);
    add({CULPRIT_PATCH_FILE, 0, 0, descriptor, there->offset, there->state});
  }

  std::string finish() {
    while (!to_copy_.empty()) {
      const Region &region = *to_copy_.front();
      to_copy_.pop_front();
      copy(region);
    }
    return std::move(rows_);
  }

private:
  // In a region that the patch allocates, or at an address.
  struct Spot {
    uint32_t region;
    uint64_t at;
  };

  void add(const culprit_patch_row &row, std::string_view bytes = {}) {
    rows_.append(reinterpret_cast<const char *>(&row), sizeof row);
    rows_.append(bytes);
    rows_.resize((rows_.size() + 7) / 8 * 8);
  }

  void write(const Spot &spot, std::string_view bytes) {
    add({CULPRIT_PATCH_BYTES, static_cast<uint32_t>(bytes.size()), spot.region, 0, spot.at, 0},
        bytes);
  }

  void point(const Spot &spot, const Place &place) {
    if (const Region *here = target_.find(place.region)) {
      add({CULPRIT_PATCH_POINTER, 0, spot.region, 0, spot.at, here->address + place.offset});
      return;
    }
    const uint32_t number = allocated(place.region);
    add({CULPRIT_PATCH_POINTER, 0, spot.region, number, spot.at, place.offset});
  }

  uint32_t allocated(uint64_t index) {
    const auto [known, is_new] =
        allocated_.try_emplace(index, static_cast<uint32_t>(allocated_.size() + 1));
    if (is_new) {
      const Region &region = *source_.find(index);
      add({CULPRIT_PATCH_ALLOCATE, 0, 0, region.number, index, region.size});
      to_copy_.push_back(&region);
    }
    return known->second;
  }

  void copy(const Region &region) { fill({allocated_.at(region.index), 0}, region); }

  void fill(const Spot &start, const Region &region) {
    write(start, *region.bytes);
    for_each_word(region, source_, [&](uint64_t at, const std::optional<Place> &pointed) {
      if (pointed)
        point({start.region, start.at + at}, *pointed);
    });
  }

  const Snapshot &target_;
  const Snapshot &source_;
  std::string rows_;
  std::unordered_map<uint64_t, uint32_t> allocated_;
  std::deque<const Region *> to_copy_;
};

} // namespace

bool is_replaceable(const Difference &difference, const Snapshot &target, const Snapshot &source) {
  const Region *from = source.find(difference.at.region);
  const Region *to = target.find(difference.at.region);
  if (is_file(from != nullptr ? *from : *to)) {
    const uint32_t descriptor = (from != nullptr ? from : to)->number;
    return can_become(open_file(to, descriptor), open_file(from, descriptor));
  }
  if (from == nullptr || to == nullptr)
    return false; // files alone differ by being there
  std::vector<uint64_t> open;
  std::unordered_set<uint64_t> seen;
  bool good = true;
  const auto look_at = [&](const std::optional<Place> &pointed) {
    if (!pointed)
      return;
    if (const Region *here = target.find(pointed->region))
      good = good && pointed->offset <= std::max(here->size, here->room);
    else if (seen.insert(pointed->region).second)
      open.push_back(pointed->region);
  };
  const auto look_into = [&](const Region &region) {
    for_each_word(region, source,
                  [&](uint64_t, const std::optional<Place> &pointed) { look_at(pointed); });
  };
  if (difference.size == 0) {
    good = from->size <= to->room;
    look_into(*from);
  } else if (difference.size == kWord) {
    look_at(source.place_of(Snapshot::word(*from, difference.at.offset)));
  }
  while (good && !open.empty()) {
    const Region &region = *source.find(open.back());
    open.pop_back();
    good = is_own(region);
    if (good)
      look_into(region);
  }
  return good;
}

std::string make_patch(std::span<const Difference> differences, const Snapshot &target,
                       const Snapshot &source) {
  Patch patch(target, source);
  for (const Difference &difference : differences)
    patch.take(difference);
  return patch.finish();
}

} // namespace culprit::explain
