// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See naming.h.
#include "engine/explain/naming.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>

namespace culprit::explain {
namespace {

constexpr uint64_t kWord = 8;

bool is_block(const Region &region) {
  return region.kind == CULPRIT_REGION_BLOCK || region.kind == CULPRIT_REGION_NATIVE;
}

// A part of something larger that reads as text: two letters at least, and nothing behind its end.
bool is_text(std::string_view bytes) {
  const size_t length = std::min(bytes.find('\0'), bytes.size());
  return length >= 2 &&
         std::ranges::all_of(bytes.substr(0, length),
                             [](char letter) { return letter >= ' ' && letter <= '~'; }) &&
         bytes.find_first_not_of('\0', length) == std::string_view::npos;
}

bool is_pointer(const Difference &difference, const Side &side) {
  const Region &region = *side.snapshot.find(difference.at.region);
  return side.snapshot.place_of(Snapshot::word(region, difference.at.offset)).has_value();
}

bool is_variable(const Region &region) {
  return region.kind == CULPRIT_REGION_GLOBAL || region.kind == CULPRIT_REGION_LOCAL;
}

} // namespace

Naming::Naming(Side passing, Side failing) : passing_(passing), failing_(failing) {
  number_blocks(passing_);
  number_blocks(failing_);
  find_ways();
}

void Naming::number_blocks(const Side &side) {
  for (const Region &region : side.snapshot.regions()) {
    const Site *site = is_block(region) ? side.tables.site(region.number) : nullptr;
    if (site == nullptr || blocks_.contains(region.index))
      continue;
    blocks_.emplace(region.index,
                    fmt::format("block {} of {}:{}", ++counts_[site->id],
                                std::filesystem::path(site->at.file).filename().string(),
                                site->at.line));
  }
}

// Breadth first from the variables: the first way to a block is the shortest.
void Naming::find_ways() {
  std::deque<const Region *> open;
  const auto look_into = [&](const Region &region, const std::string &from, bool is_root) {
    if (!region.bytes)
      return;
    for (uint64_t at = 0; at + kWord <= region.size; at += kWord) {
      const auto to = failing_.snapshot.place_of(Snapshot::word(region, at));
      const Region *block = to ? failing_.snapshot.find(to->region) : nullptr;
      if (block == nullptr || !is_block(*block) || ways_.contains(to->region))
        continue;
      ways_.emplace(to->region, is_root && at == 0 ? from : fmt::format("{}({})", from, at));
      open.push_back(block);
    }
  };
  for (const Region &region : failing_.snapshot.regions())
    if (is_variable(region))
      look_into(region, variable(region, failing_.tables, 0), true);
  while (!open.empty()) {
    const Region &region = *open.front();
    open.pop_front();
    look_into(region, ways_.at(region.index) + "->", false);
  }
}

std::string Naming::variable(const Region &region, const Tables &tables, uint64_t offset) const {
  const Name *name = tables.name(region.number);
  std::string text = name == nullptr || name->name.empty() ? "(temporary)" : name->name;
  if (offset != 0)
    text += fmt::format("+{}", offset);
  return text;
}

std::string Naming::name(const Place &place) const {
  const Region *region = failing_.snapshot.find(place.region);
  if (region == nullptr)
    return "?";
  if (is_variable(*region))
    return variable(*region, failing_.tables, place.offset);
  if (region->kind == CULPRIT_REGION_ARGUMENT)
    return region->number == 0 ? fmt::format("argv[{}]", place.offset / kWord)
                               : fmt::format("argv[{}][{}]", region->number - 1, place.offset);
  if (const auto way = ways_.find(place.region); way != ways_.end())
    return fmt::format("{}->({})", way->second, place.offset);
  return pointer(place, failing_);
}

std::string Naming::pointer(const Place &place, const Side &side) const {
  const Region &region = *side.snapshot.find(place.region);
  const std::string plus = place.offset == 0 ? "" : fmt::format("+{}", place.offset);
  if (is_variable(region))
    return "&" + variable(region, side.tables, place.offset);
  if (region.kind == CULPRIT_REGION_ARGUMENT && region.number != 0 && place.offset == 0)
    return fmt::format("\"{}\"", region.bytes->c_str());
  if (region.kind == CULPRIT_REGION_ARGUMENT)
    return region.number == 0 ? "argv" + plus : fmt::format("argv[{}]{}", region.number - 1, plus);
  if (region.kind == CULPRIT_REGION_CODE)
    return "a function";
  if (region.kind == CULPRIT_REGION_CONSTANT)
    return "a constant" + plus;
  const auto known = blocks_.find(place.region);
  return (known == blocks_.end() ? "a block" : known->second) + plus;
}

std::string Naming::value(const Difference &difference, const Side &side) const {
  const Region &region = *side.snapshot.find(difference.at.region);
  if (difference.size == kWord) {
    const uint64_t word = Snapshot::word(region, difference.at.offset);
    if (const auto to = side.snapshot.place_of(word))
      return pointer(*to, side);
    if (is_pointer(difference, passing_) || is_pointer(difference, failing_))
      return word == 0 ? "NULL" : fmt::format("{:#x}", word);
    return std::to_string(static_cast<int64_t>(word));
  }
  const std::string_view bytes =
      std::string_view(*region.bytes).substr(difference.at.offset, difference.size);
  if (region.size > kWord && is_text(bytes))
    return fmt::format("\"{}\"", bytes.substr(0, bytes.find('\0')));
  if (difference.size == sizeof(int32_t)) {
    int32_t number = 0;
    std::memcpy(&number, region.bytes->data() + difference.at.offset, sizeof number);
    return std::to_string(number);
  }
  uint32_t number = 0;
  std::memcpy(&number, region.bytes->data() + difference.at.offset, difference.size);
  return std::to_string(number);
}

std::string Naming::passing_value(const Difference &difference) const {
  return value(difference, passing_);
}
std::string Naming::failing_value(const Difference &difference) const {
  return value(difference, failing_);
}

} // namespace culprit::explain
