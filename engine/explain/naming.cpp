// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See naming.h.
#include "engine/explain/naming.h"

#include "engine/explain/open_file.h"
#include "engine/explain/value_text.h"
#include "engine/heap/sites.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <tuple>

namespace culprit::explain {
namespace {

constexpr uint64_t kWord = 8;
constexpr size_t kShownText = 40;

bool is_block(const Region &region) {
  return region.kind == CULPRIT_REGION_BLOCK || region.kind == CULPRIT_REGION_NATIVE;
}

bool is_variable(const Region &region) {
  return region.kind == CULPRIT_REGION_GLOBAL || region.kind == CULPRIT_REGION_LOCAL;
}

const Name *name_of(const Region &region, const Side &side) {
  return is_variable(region) ? side.tables.name(region.number) : nullptr;
}

uint32_t type_of(const Region &region, const Side &side) {
  const Name *name = name_of(region, side);
  return name == nullptr ? 0 : name->type;
}

uint32_t pointee_of(const Types &types, uint32_t type) {
  const Type *pointer = types.find(type);
  return pointer == nullptr || pointer->kind != Type::Kind::pointer ? 0 : pointer->of;
}

bool is_character(const Types &types, uint32_t number) {
  const Type *type = types.find(number);
  return type != nullptr && type->kind == Type::Kind::character && type->size == 1;
}

// A function without its parameters and without the namespaces that have no name.
std::string short_name(const std::string &function) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  std::string name = heap::short_function(function);
  for (size_t at = name.find(kAnonymous); at != std::string::npos; at = name.find(kAnonymous))
    name.erase(at, kAnonymous.size());
  return name;
}

// "p" and ".next" are "p->next"; "p" and "[2].next" need no arrow; of a thing without parts "*p".
std::string behind_pointer(const std::string &pointer, const std::string &path) {
  if (path.empty())
    return "*" + pointer;
  return pointer + (path.starts_with(".") ? "->" + path.substr(1) : path);
}

// All of them within the region.
std::vector<Leaf::Bits> placed(std::vector<Leaf::Bits> bits, uint64_t offset,
                               const Region &region) {
  for (Leaf::Bits &each : bits)
    each.first += offset * 8;
  std::erase_if(bits,
                [&](const Leaf::Bits &each) { return each.first + each.count > region.size * 8; });
  return bits;
}

} // namespace

Naming::Naming(Side passing, Side failing) : passing_(passing), failing_(failing) {
  // Frames are told from the innermost on.
  for (const Region &region : failing_.snapshot.regions())
    if (const Name *name = name_of(region, failing_);
        region.kind == CULPRIT_REGION_LOCAL && name != nullptr) {
      function_ = name->function;
      break;
    }
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

// `into_middle`: pointers that do not point to a block's start count, too.
void Naming::look_into(const Region &region, bool into_middle, std::deque<const Region *> &open) {
  if (!region.bytes)
    return;
  for (uint64_t at = 0; at + kWord <= region.size; at += kWord) {
    const auto to = failing_.snapshot.place_of(Snapshot::word(region, at));
    const Region *block = to ? failing_.snapshot.find(to->region) : nullptr;
    if (block == nullptr || !is_block(*block) || ways_.contains(to->region) ||
        (to->offset != 0 && !into_middle))
      continue;
    const Part part = part_at(region, failing_, {{region.index, at}, kWord}, at, Holds::address);
    ways_.emplace(to->region,
                  Way{part.name, pointee_of(failing_.tables.types, part.type), to->offset});
    open.push_back(block);
  }
}

// Breadth first from the variables: the first way to a block is the shortest. Those of the function
// that is executed come first; temporaries, and pointers into the midst of things, last.
void Naming::find_ways() {
  std::vector<const Region *> own;
  std::vector<const Region *> others;
  std::vector<const Region *> temporaries;
  for (const Region &region : failing_.snapshot.regions()) {
    const Name *name = name_of(region, failing_);
    if (!is_variable(region))
      continue;
    if (name == nullptr || name->name.empty())
      temporaries.push_back(&region);
    else if (region.kind == CULPRIT_REGION_LOCAL && name->function == function_)
      own.push_back(&region);
    else
      others.push_back(&region);
  }
  std::vector<const Region *> named = std::move(own);
  named.insert(named.end(), others.begin(), others.end());
  std::deque<const Region *> open;
  const auto follow = [&](const std::vector<const Region *> &roots, bool into_middle) {
    for (const Region *region : roots)
      look_into(*region, into_middle, open);
    while (!open.empty()) {
      const Region &region = *open.front();
      open.pop_front();
      look_into(region, into_middle, open);
    }
  };
  follow(named, false);
  follow(named, true);
  follow(temporaries, true);
}

std::string Naming::variable(const Region &region, const Side &side) const {
  const Name *name = name_of(region, side);
  if (name == nullptr || name->name.empty())
    return "(temporary)";
  const bool elsewhere = !name->function.empty() && name->function != function_;
  return (elsewhere ? short_name(name->function) + "::" : std::string()) + name->name;
}

Holds Naming::held_at(const Region &there, const Region &here, uint64_t offset) const {
  const uint64_t start = offset / kWord * kWord;
  const auto is_address = [&](const Region &region, const Side &side) {
    return start + kWord <= region.size &&
           side.snapshot.place_of(Snapshot::word(region, start)).has_value();
  };
  return is_address(there, passing_) || is_address(here, failing_) ? Holds::address : Holds::number;
}

Naming::Part Naming::part_of_block(const Region &region, const Difference &difference,
                                   uint64_t offset, Holds holds) const {
  const auto way = ways_.find(region.index);
  if (way == ways_.end())
    return {pointer({region.index, offset}, failing_, 0), difference.at.offset, difference.size};
  const Way &from = way->second;
  const Types &types = failing_.tables.types;
  if (offset >= from.offset && is_character(types, from.type) && region.size <= UINT16_MAX)
    return {"*" + from.text, from.offset, region.size - from.offset, 0, true, true};
  Leaf leaf;
  if (offset >= from.offset)
    leaf = leaf_behind(types, from.type, offset - from.offset, holds);
  if (leaf.size != 0 && from.offset + leaf.start + leaf.size <= region.size) {
    for (Leaf::Bits &each : leaf.bits)
      each.path = behind_pointer(from.text, each.path);
    return {behind_pointer(from.text, leaf.path),
            from.offset + leaf.start,
            leaf.size,
            leaf.type,
            leaf.is_text,
            true,
            placed(std::move(leaf.bits), from.offset, region)};
  }
  return {
      fmt::format("{}->({})", from.text, static_cast<int64_t>(difference.at.offset - from.offset)),
      difference.at.offset, difference.size};
}

Naming::Part Naming::part_at(const Region &region, const Side &side, const Difference &difference,
                             uint64_t offset, Holds holds) const {
  if (region.kind == CULPRIT_REGION_ARGUMENT)
    return region.number == 0
               ? Part{fmt::format("argv[{}]", offset / kWord), offset / kWord * kWord, kWord}
               : Part{fmt::format("argv[{}]", region.number - 1), 0, region.size, 0, true, true};
  if (!is_variable(region))
    return part_of_block(region, difference, offset, holds);
  const Types &types = side.tables.types;
  Leaf leaf = leaf_at(types, type_of(region, side), offset, holds);
  // The size of one of variable length is not its type's.
  if (const Type *type = types.find(type_of(region, side));
      type != nullptr && type->kind == Type::Kind::array && type->size == 0)
    leaf = leaf_behind(types, type->of, offset, holds);
  if (leaf.size != 0 && leaf.start + leaf.size <= region.size) {
    const std::string whole = variable(region, side);
    for (Leaf::Bits &each : leaf.bits)
      each.path = whole + each.path;
    return {whole + leaf.path,
            leaf.start,
            leaf.size,
            leaf.type,
            leaf.is_text,
            true,
            placed(std::move(leaf.bits), 0, region)};
  }
  const uint64_t at = difference.at.offset;
  return {variable(region, side) + (at == 0 ? "" : fmt::format("+{}", at)), at, difference.size};
}

std::string Naming::pointer(const Place &place, const Side &side, uint32_t pointee) const {
  const Region &region = *side.snapshot.find(place.region);
  const std::string plus = place.offset == 0 ? "" : fmt::format("+{}", place.offset);
  const bool is_end = place.offset == region.size && is_block(region);
  if (is_variable(region)) {
    const Type *meant = side.tables.types.find(pointee);
    const Type *whole = side.tables.types.find(type_of(region, side));
    // The address of a whole is that of its first part.
    if (place.offset == 0 && (meant == nullptr || whole == nullptr || meant->size == whole->size))
      return "&" + variable(region, side);
    const Leaf leaf = leaf_at(side.tables.types, type_of(region, side), place.offset);
    const bool exact = leaf.size != 0 && leaf.start == place.offset && !leaf.is_text;
    return "&" + variable(region, side) + (exact ? leaf.path : plus);
  }
  if (region.kind == CULPRIT_REGION_ARGUMENT)
    return region.number == 0 ? fmt::format("the {} arguments{}", region.size / kWord - 1, plus)
                              : text_value(Snapshot::bytes(region, place.offset), kShownText);
  if (region.kind == CULPRIT_REGION_CODE || region.kind == CULPRIT_REGION_CONSTANT) {
    const Name *name = side.tables.name(region.number);
    if (name == nullptr || name->name.empty())
      return (region.kind == CULPRIT_REGION_CODE ? "a function" : "a constant") + plus;
    return (region.kind == CULPRIT_REGION_CODE ? short_name(name->name) : name->name) + plus;
  }
  const auto known = blocks_.find(place.region);
  const std::string block = known == blocks_.end() ? "a block" : known->second;
  if (is_end)
    return "the end of " + block;
  const Type *meant = side.tables.types.find(pointee);
  if (place.offset != 0 && meant != nullptr && meant->size != 0 && place.offset % meant->size == 0)
    return fmt::format("{}[{}]", block, place.offset / meant->size);
  return block + plus;
}

std::string Naming::value(const Region &region, const Part &part, const Side &side, bool is_pointer,
                          bool as_text) const {
  const std::string_view bytes = Snapshot::bytes(region, part.start, part.size);
  if (part.is_text)
    return text_value(bytes, kShownText);
  const Types &types = side.tables.types;
  if (bytes.size() == kWord && is_pointer) {
    const uint64_t word = Snapshot::word(region, part.start);
    const auto to = side.snapshot.place_of(word);
    if (!to)
      return word == 0 ? "NULL" : fmt::format("{:#x}", word);
    const Region &object = *side.snapshot.find(to->region);
    const uint32_t pointee = pointee_of(types, part.type);
    const bool is_inside = object.bytes && to->offset < object.bytes->size();
    if (as_text && is_character(types, pointee) && is_inside)
      return text_value(Snapshot::bytes(object, to->offset), kShownText);
    return pointer(*to, side, pointee);
  }
  if (part.type != 0)
    return typed_value(bytes, types, part.type);
  return untyped_value(bytes, region.size > kWord);
}

std::vector<NamedValue> Naming::describe_bits(const Part &part, const Region &there,
                                              const Region &here) const {
  std::vector<NamedValue> found;
  for (const Leaf::Bits &each : part.bits) {
    NamedValue named{each.path, bits_value(*there.bytes, each, failing_.tables.types),
                     bits_value(*here.bytes, each, failing_.tables.types)};
    if (named.passing != named.failing)
      found.push_back(std::move(named));
  }
  return found;
}

// A block of another size in each run: a text as such, of others how many there are, and the first
// that differ.
std::vector<NamedValue> Naming::describe_block(const Region &there, const Region &here) const {
  constexpr size_t kShown = 3;
  const auto way = ways_.find(here.index);
  Part part = part_at(here, failing_, {{here.index, 0}, kWord},
                      way == ways_.end() ? 0 : way->second.offset, Holds::number);
  if (part.is_text && part.start < there.size) {
    const std::string failing = value(here, part, failing_, false, true);
    part.size = there.size - part.start;
    return {{part.name, value(there, part, passing_, false, true), failing}};
  }
  const Type *each = way == ways_.end() ? nullptr : failing_.tables.types.find(way->second.type);
  const uint64_t size = each == nullptr || each->size == 0 ? 1 : each->size;
  const auto count = [&](const Region &region) {
    return size == 1 || region.size % size != 0 ? fmt::format("{} bytes", region.size)
                                                : fmt::format("{} elements", region.size / size);
  };
  std::vector<NamedValue> found = {
      {way == ways_.end() ? pointer({here.index, 0}, failing_, 0) : "*" + way->second.text,
       count(there), count(here)}};
  const uint64_t both = std::min(there.size, here.size);
  for (uint64_t at = 0; at + kWord <= both && found.size() <= kShown; at += kWord) {
    const auto to = failing_.snapshot.place_of(Snapshot::word(here, at));
    const auto was = passing_.snapshot.place_of(Snapshot::word(there, at));
    if (to || was ? to != was : Snapshot::word(here, at) != Snapshot::word(there, at))
      for (NamedValue &named : describe({{here.index, at}, kWord}))
        if (named.passing != named.failing &&
            std::ranges::find(found, named.name, &NamedValue::name) == found.end())
          found.push_back(std::move(named));
  }
  return found;
}

NamedValue Naming::describe_file(const Region *there, const Region *here) {
  const uint32_t descriptor = here != nullptr ? here->number : there->number;
  const auto passing = open_file(there, descriptor);
  const auto failing = open_file(here, descriptor);
  return {file_name(descriptor, failing ? failing : passing),
          file_text(passing, failing, kShownText), file_text(failing, passing, kShownText)};
}

std::string Naming::offset_text(const Region &region, const Part &part, const Side &side) {
  const auto to = side.snapshot.place_of(Snapshot::word(region, part.start));
  return to ? fmt::format(" (+{})", to->offset) : "";
}

std::vector<NamedValue> Naming::describe(const Difference &difference) const {
  const Region *here = failing_.snapshot.find(difference.at.region);
  const Region *there = passing_.snapshot.find(difference.at.region);
  if (const Region *either = here != nullptr ? here : there; either != nullptr && is_file(*either))
    return {describe_file(there, here)};
  if (here == nullptr || there == nullptr || !here->bytes || !there->bytes)
    return {};
  if (difference.size == 0)
    return describe_block(*there, *here);
  std::vector<NamedValue> found;
  const uint64_t end = difference.at.offset + difference.size;
  for (uint64_t at = difference.at.offset; at < end;) {
    Part part = part_at(*here, failing_, difference, at, held_at(*there, *here, at));
    // Padding beside something that has a name.
    if (!part.is_known && !found.empty())
      break;
    const auto bytes = [&](const Region &region) {
      return Snapshot::bytes(region, part.start, part.size);
    };
    // What a text has behind its end, or behind what is shown of it.
    if (part.is_text &&
        value(*there, part, passing_, false, true) == value(*here, part, failing_, false, true))
      part = {fmt::format("{}[{}]", part.name, at - part.start), at, 1, 0, false, true};
    at = std::max(part.start + part.size, at + 1);
    if (part.start + part.size > std::min(here->size, there->size))
      continue; // a block that is smaller in one of them
    if (!part.bits.empty()) {
      for (NamedValue &each : describe_bits(part, *there, *here))
        found.push_back(std::move(each));
      continue;
    }
    const auto points = [&](const Region &region, const Side &side) {
      return part.size == kWord &&
             side.snapshot.place_of(Snapshot::word(region, part.start)).has_value();
    };
    const bool is_pointer = points(*here, failing_) || points(*there, passing_);
    if (!is_pointer && bytes(*here) == bytes(*there))
      continue;
    NamedValue named{part.name, value(*there, part, passing_, is_pointer, true),
                     value(*here, part, failing_, is_pointer, true)};
    // Two texts that read alike are told apart by where they lie.
    if (is_pointer && named.passing == named.failing) {
      named.passing = value(*there, part, passing_, is_pointer, false);
      named.failing = value(*here, part, failing_, is_pointer, false);
    }
    // And ends of blocks of another size by how far they are.
    const auto far = [&](const Region &region, const Side &side) {
      return is_pointer ? offset_text(region, part, side) : std::string();
    };
    if (named.passing == named.failing && far(*there, passing_) != far(*here, failing_)) {
      named.passing += far(*there, passing_);
      named.failing += far(*here, failing_);
    }
    found.push_back(std::move(named));
  }
  return found;
}

bool Naming::is_number(const Place &place) const {
  const Region *here = failing_.snapshot.find(place.region);
  if (here == nullptr || !here->bytes)
    return false;
  const Part part = part_at(*here, failing_, {place, kWord}, place.offset, Holds::number);
  return part.is_known && !part.is_text && part.bits.empty() && part.start == place.offset &&
         part.size == kWord;
}

std::vector<NamedValue> Naming::describe(const std::vector<Difference> &differences) const {
  std::vector<NamedValue> all;
  for (const Difference &each : differences)
    for (NamedValue &named : describe(each))
      if (std::ranges::find(all, named.name, &NamedValue::name) == all.end() ||
          named.name == "(temporary)")
        all.push_back(std::move(named));
  std::ranges::sort(all, {}, [](const NamedValue &each) {
    return std::tie(each.name, each.failing, each.passing);
  });
  return all;
}

} // namespace culprit::explain
