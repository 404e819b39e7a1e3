// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See difference.h.
#include "engine/explain/difference.h"

#include "engine/explain/open_file.h"

#include <algorithm>
#include <string_view>

namespace culprit::explain {
namespace {

constexpr uint32_t kWord = 8;
constexpr uint32_t kHalf = 4;

bool is_variable(const Region &region) {
  return region.kind == CULPRIT_REGION_GLOBAL || region.kind == CULPRIT_REGION_LOCAL;
}

void compare_bytes(const Region &x, const Region &y, uint64_t from, uint64_t end,
                   std::vector<Difference> &found) {
  for (uint64_t at = from; at < end; at += kHalf) {
    const uint64_t size = std::min<uint64_t>(kHalf, end - at);
    if (std::string_view(*x.bytes).substr(at, size) != std::string_view(*y.bytes).substr(at, size))
      found.push_back({{x.index, at}, static_cast<uint32_t>(size)});
  }
}

void compare_files(const Snapshot &target, const Snapshot &source, std::vector<Difference> &found) {
  for (const Region &x : target.regions())
    if (is_file(x) &&
        !is_same_file(open_file(&x, x.number), open_file(source.find(x.index), x.number)))
      found.push_back({{x.index, 0}, 0});
  for (const Region &y : source.regions())
    if (is_file(y) && target.find(y.index) == nullptr &&
        !is_same_file(open_file(nullptr, y.number), open_file(&y, y.number)))
      found.push_back({{y.index, 0}, 0});
}

} // namespace

std::vector<Difference> compare(const Snapshot &target, const Snapshot &source) {
  std::vector<Difference> found;
  for (const Region &x : target.regions()) {
    const Region *y = source.find(x.index);
    if (y == nullptr || !x.bytes || !y->bytes || is_file(x))
      continue;
    if (x.size != y->size) {
      if (x.room != 0 && y->room != 0)
        found.push_back({{x.index, 0}, 0});
      continue;
    }
    uint64_t at = 0;
    for (; at + kWord <= x.size; at += kWord) {
      const auto to_x = target.place_of(Snapshot::word(x, at));
      const auto to_y = source.place_of(Snapshot::word(*y, at));
      const bool differs =
          !to_x && !to_y ? Snapshot::word(x, at) != Snapshot::word(*y, at) : to_x != to_y;
      // A variable of eight bytes is one number; of anything larger nobody knows the parts.
      if (differs && (to_x || to_y || (is_variable(x) && x.size == kWord)))
        found.push_back({{x.index, at}, kWord});
      else if (differs)
        compare_bytes(x, *y, at, at + kWord, found);
    }
    compare_bytes(x, *y, at, x.size, found);
  }
  compare_files(target, source, found);
  return found;
}

std::vector<Difference> join_halves(const std::vector<Difference> &differences,
                                    const std::function<bool(const Place &)> &is_number) {
  std::vector<Difference> joined;
  for (const Difference &each : differences) {
    Difference *before = joined.empty() ? nullptr : &joined.back();
    const bool is_second = before != nullptr && before->size == kHalf && each.size == kHalf &&
                           before->at.region == each.at.region && each.at.offset % kWord == kHalf &&
                           before->at.offset + kHalf == each.at.offset;
    if (is_second && is_number(before->at))
      before->size = kWord;
    else
      joined.push_back(each);
  }
  return joined;
}

} // namespace culprit::explain
