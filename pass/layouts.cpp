// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/layouts.h"

#include "abi/access.h"
#include "pass/debug_types.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace culprit {

namespace {

constexpr uint64_t kMaxSize = CULPRIT_LAYOUT_BYTES;
constexpr size_t kMaxMembers = CULPRIT_LAYOUT_MEMBERS;
constexpr size_t kMaxRanges = CULPRIT_LAYOUT_RANGES;
constexpr size_t kMaxJoined = CULPRIT_LAYOUT_JOINED;
constexpr llvm::StringLiteral kBehind = "(behind)";

constexpr uint64_t kNoStorage = std::numeric_limits<uint64_t>::max();

// One place in the outer type.
struct Piece {
  uint64_t start;
  uint64_t end;
  std::string name;
  std::string qualified; // with the base classes' names
  bool is_array;
  bool is_flexible;              // an array of no known or at most one element
  uint64_t storage = kNoStorage; // of bit fields: the first bit of what is written together
};

std::string joined(llvm::StringRef path, llvm::StringRef name) {
  if (name.empty())
    return path.str();
  const bool is_apart = path.empty() || path.ends_with("::");
  return (path + (is_apart ? "" : ".") + name).str();
}

// What the raw memory of the containers' nodes holds; null if it is none, or not known.
const llvm::DIType *held_in_buffer(const llvm::DICompositeType &record) {
  if (!record.getName().starts_with("__aligned_membuf<") &&
      !record.getName().starts_with("__aligned_buffer<"))
    return nullptr;
  if (record.getTemplateParams().empty())
    return nullptr;
  const auto *held = llvm::dyn_cast<llvm::DITemplateTypeParameter>(record.getTemplateParams()[0]);
  return held != nullptr && bytes_of(held->getType()) != 0 ? held->getType() : nullptr;
}

bool is_data_member(const llvm::DINode *element) {
  const auto *member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(element);
  return member != nullptr && member->getTag() == llvm::dwarf::DW_TAG_member &&
         !member->isStaticMember();
}

void gather_names(const llvm::DICompositeType &record, std::vector<llvm::StringRef> &names) {
  for (const llvm::DINode *element : record.getElements()) {
    if (!is_data_member(element))
      continue;
    const auto *member = llvm::cast<llvm::DIDerivedType>(element);
    if (!member->getName().empty())
      names.push_back(member->getName());
    else if (const auto *inner = as_record(member->getBaseType()))
      gather_names(*inner, names);
  }
}

// The names of an anonymous union's members.
std::string alternatives(const llvm::DICompositeType &record) {
  std::vector<llvm::StringRef> names;
  gather_names(record, names);
  const bool is_cut = names.size() > kMaxJoined;
  names.resize(std::min(names.size(), kMaxJoined));
  return llvm::join(names, "|") + (is_cut ? "|..." : "");
}

class Flattening {
public:
  // `folds`: arrays of structs are taken apart; otherwise they are one member.
  explicit Flattening(bool folds) : folds_(folds) {}

  // The pieces in order of their start; none if there are too many.
  std::vector<Piece> pieces(const llvm::DICompositeType &record) {
    add_record(record, {0, "", ""});
    if (is_full_)
      return {};
    std::ranges::sort(pieces_, {},
                      [](const Piece &piece) { return std::pair(piece.start, piece.end); });
    return std::move(pieces_);
  }

  std::vector<std::string> records() { return std::move(records_); }

private:
  struct Place {
    uint64_t start;
    std::string path;
    std::string qualified;
  };

  void add(Piece piece) {
    is_full_ = is_full_ || pieces_.size() > 4 * kMaxRanges;
    if (!is_full_)
      pieces_.push_back(std::move(piece));
  }

  void add_record(const llvm::DICompositeType &record, const Place &at) {
    for (const llvm::StringRef name : {record.getName(), record.getIdentifier()})
      if (!llvm::is_contained(records_, name))
        records_.push_back(name.str());
    for (const llvm::DINode *element : record.getElements()) {
      const auto *part = llvm::dyn_cast_or_null<llvm::DIDerivedType>(element);
      if (part == nullptr || is_full_)
        continue;
      const uint64_t start = at.start + part->getOffsetInBits() / 8;
      // Where a virtual base lies is known at run time only.
      if (part->getTag() == llvm::dwarf::DW_TAG_inheritance && !part->isVirtual()) {
        if (const auto *base = as_record(part->getBaseType()))
          add_record(*base, {start, at.path, joined(at.qualified, name_of(base) + "::")});
      } else if (is_data_member(part)) {
        add_member(
            *part, at,
            {start, joined(at.path, part->getName()), joined(at.qualified, part->getName())});
      }
    }
  }

  void add_member(const llvm::DIDerivedType &member, const Place &outer, const Place &at) {
    if (member.isBitField()) {
      const uint64_t first = outer.start * 8 + member.getOffsetInBits();
      uint64_t storage = first / 64 * 64;
      if (const auto *known =
              llvm::dyn_cast_or_null<llvm::ConstantInt>(member.getStorageOffsetInBits()))
        storage = outer.start * 8 + known->getZExtValue();
      add({first / 8, (first + member.getSizeInBits() + 7) / 8, at.path, at.qualified, false, false,
           storage});
      return;
    }
    add_type(member.getBaseType(), member.getSizeInBits() / 8, member.getName().empty(), at);
  }

  void add_type(const llvm::DIType *type, uint64_t size, bool is_nameless, const Place &at) {
    if (const llvm::DIType *element = array_element(type)) {
      add_array(element, size, at);
      return;
    }
    const llvm::DICompositeType *record = as_record(type);
    const llvm::DIType *held = record != nullptr ? held_in_buffer(*record) : nullptr;
    if (record == nullptr) {
      add({at.start, at.start + size, at.path, at.qualified, false, false});
    } else if (held != nullptr) {
      add_type(held, std::min(size, bytes_of(held)), /*is_nameless=*/false, at);
    } else if (record->getTag() == llvm::dwarf::DW_TAG_union_type) {
      const std::string names = is_nameless ? alternatives(*record) : "";
      add({at.start, at.start + size, joined(at.path, names), joined(at.qualified, names), false,
           false});
    } else {
      const size_t before = pieces_.size();
      add_record(*record, at);
      // Nothing known of it (a class that is only declared here), and not just empty.
      if (pieces_.size() == before && (size > 1 || record->isForwardDecl()))
        add({at.start, at.start + size, at.path, at.qualified, false, false});
    }
  }

  void add_array(const llvm::DIType *element, uint64_t size, const Place &at) {
    const uint64_t step = bytes_of(element);
    const llvm::DICompositeType *record = as_record(element);
    const bool is_flexible = size <= step;
    if (record == nullptr || record->getTag() == llvm::dwarf::DW_TAG_union_type || !folds_ ||
        step == 0 || is_flexible) {
      add({at.start, at.start + size, at.path, at.qualified, true, is_flexible});
      return;
    }
    const size_t before = pieces_.size();
    for (uint64_t inner = 0; inner + step <= size && !is_full_; inner += step)
      add_record(*record, {at.start + inner, at.path + "[]", at.qualified + "[]"});
    for (size_t i = before; i < pieces_.size(); ++i) {
      pieces_[i].is_array = true;
      pieces_[i].is_flexible = false;
    }
  }

  bool folds_;
  bool is_full_ = false;
  std::vector<Piece> pieces_;
  std::vector<std::string> records_;
};

bool share_bytes(const Piece &before, const Piece &next) {
  return next.start < before.end || (next.storage != kNoStorage && next.storage == before.storage);
}

void join_into(Piece &whole, const Piece &part) {
  whole.end = std::max(whole.end, part.end);
  whole.is_array |= part.is_array;
  const bool is_cut = llvm::StringRef(whole.name).ends_with("|...");
  if (is_cut || part.name == whole.name)
    return;
  const bool is_last = llvm::StringRef(whole.name).count('|') + 1 >= kMaxJoined;
  whole.name += "|" + (is_last ? "..." : part.name);
  whole.qualified += "|" + (is_last ? "..." : part.qualified);
}

// Base classes may have members of the same name.
void tell_apart(std::vector<Piece> &pieces) {
  llvm::StringMap<std::string> qualified;
  llvm::StringMap<bool> is_ambiguous;
  for (const Piece &piece : pieces)
    if (qualified.try_emplace(piece.name, piece.qualified).first->second != piece.qualified)
      is_ambiguous[piece.name] = true;
  for (Piece &piece : pieces)
    if (is_ambiguous.contains(piece.name))
      piece.name = piece.qualified;
}

std::optional<Layout> layout_of(const llvm::DICompositeType &record, bool folds) {
  std::vector<Piece> merged;
  std::optional<Piece> flexible;
  Flattening flattening(folds);
  std::vector<Piece> pieces = flattening.pieces(record);
  if (!pieces.empty() && pieces.back().is_flexible) {
    flexible = pieces.back();
    if (flexible->end == flexible->start)
      flexible->end = bytes_of(&record); // what padding there is
  }
  for (Piece &piece : pieces) {
    if (flexible && &piece == &pieces.back())
      piece.end = flexible->end;
    if (piece.end <= piece.start)
      continue;
    if (!merged.empty() && share_bytes(merged.back(), piece))
      join_into(merged.back(), piece);
    else
      merged.push_back(std::move(piece));
  }
  if (flexible && !merged.empty() && merged.back().end > flexible->start &&
      merged.back().start < flexible->start)
    flexible.reset(); // it overlaps something else
  tell_apart(merged);

  Layout layout{};
  layout.records = flattening.records();
  layout.size = static_cast<uint32_t>(bytes_of(&record));
  llvm::StringMap<uint32_t> numbers;
  auto member = [&](const Piece &piece) {
    const auto [known, is_new] =
        numbers.try_emplace(piece.name, static_cast<uint32_t>(layout.members.size()));
    if (is_new)
      layout.members.push_back({piece.name, static_cast<uint32_t>(piece.start), piece.is_array});
    return known->second;
  };
  for (const Piece &piece : merged) {
    const uint32_t number = member(piece);
    if (layout.ranges.empty() || layout.ranges.back().member != number)
      layout.ranges.push_back(
          {layout.ranges.empty() ? 0 : static_cast<uint32_t>(piece.start), number});
  }
  if (flexible)
    layout.rest = member(*flexible) + 1;
  if (layout.members.size() > kMaxMembers || layout.ranges.size() > kMaxRanges)
    return std::nullopt;
  return layout;
}

std::optional<Layout> layout_of(const llvm::DIType *type) {
  if (const llvm::DIType *element = array_element(type))
    type = element;
  const llvm::DICompositeType *record = as_record(type);
  if (record == nullptr || record->getTag() == llvm::dwarf::DW_TAG_union_type ||
      record->getSizeInBits() == 0 || bytes_of(record) > kMaxSize)
    return std::nullopt;
  std::optional<Layout> layout = layout_of(*record, /*folds=*/true);
  if (!layout || layout->members.empty())
    layout = layout_of(*record, /*folds=*/false);
  if (layout)
    layout->type = name_of(type);
  return layout;
}

} // namespace

uint32_t Layouts::of(const llvm::DIType *type) {
  std::optional<Layout> layout = layout_of(type);
  return layout && layout->members.size() > 1 ? intern(std::move(*layout)) : 0;
}

uint32_t Layouts::with_more_behind(const llvm::DIType *type) {
  std::optional<Layout> layout = layout_of(type);
  if (!layout || layout->members.empty() || layout->members.size() == kMaxMembers)
    return 0;
  if (layout->rest == 0) {
    layout->members.push_back({kBehind.str(), layout->size, true});
    layout->rest = static_cast<uint32_t>(layout->members.size());
  }
  return layout->members.size() > 1 ? intern(std::move(*layout)) : 0;
}

llvm::StringRef Layouts::member_at(uint32_t number, uint64_t offset) const {
  if (number == 0)
    return "";
  const Layout &layout = all_[number - 1];
  if (layout.rest == 0)
    offset %= layout.size;
  llvm::StringRef name;
  for (const MemberRange &range : layout.ranges)
    if (range.start <= offset)
      name = layout.members[range.member].name;
  return name;
}

uint32_t Layouts::intern(Layout layout) {
  std::string content;
  llvm::raw_string_ostream text(content);
  text << layout.type << '\0' << layout.size << ' ' << layout.rest;
  for (const Member &member : layout.members)
    text << '\0' << member.name;
  for (const MemberRange &range : layout.ranges)
    text << ' ' << range.start << ' ' << range.member;
  const auto [known, is_new] =
      by_content_.try_emplace(content, static_cast<uint32_t>(all_.size() + 1));
  if (is_new)
    all_.push_back(std::move(layout));
  return known->second;
}

} // namespace culprit
