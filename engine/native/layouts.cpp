// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/native/layouts.h"

#include "abi/access.h"
#include "engine/native/types.h"

#include "llvm/DebugInfo/DWARF/DWARFFormValue.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

namespace culprit::native {

namespace dw = llvm::dwarf;

namespace {

constexpr uint64_t kNoStorage = std::numeric_limits<uint64_t>::max();
constexpr size_t kMaxPieces = size_t{4} * CULPRIT_LAYOUT_RANGES;
constexpr int kMaxDepth = 64; // structs inside structs
constexpr std::string_view kBehind = "(behind)";

// One place in the outer type.
struct Piece {
  uint64_t start;
  uint64_t end;
  std::string name;
  std::string qualified;         // with the base classes' names
  bool is_flexible;              // an array of no known or at most one element
  uint64_t storage = kNoStorage; // of bit fields: the first bit of what is written together
};

std::string joined(const std::string &path, std::string_view name) {
  if (name.empty())
    return path;
  const bool is_apart = path.empty() || path.ends_with("::");
  return path + (is_apart ? "" : ".") + std::string(name);
}

std::string short_name(llvm::DWARFDie die) {
  const char *name = die.getShortName();
  return name == nullptr ? "" : name;
}

// What the raw memory of the containers' nodes holds; invalid if it is none, or not known.
llvm::DWARFDie held_in_buffer(llvm::DWARFDie record) {
  const std::string name = short_name(record);
  if (!name.starts_with("__aligned_membuf<") && !name.starts_with("__aligned_buffer<"))
    return {};
  for (const llvm::DWARFDie child : record.children())
    if (child.getTag() == dw::DW_TAG_template_type_parameter)
      return bytes_of(type_of(child)) != 0 ? type_of(child) : llvm::DWARFDie();
  return {};
}

// Static members are declarations: members without a place, or variables.
bool is_data_member(llvm::DWARFDie die) {
  return die.getTag() == dw::DW_TAG_member && !die.find(dw::DW_AT_declaration) &&
         !die.find(dw::DW_AT_external);
}

void gather_names(llvm::DWARFDie record, std::vector<std::string> &names, int depth) {
  for (const llvm::DWARFDie member : record.children()) {
    if (!is_data_member(member) || depth == 0)
      continue;
    if (const std::string name = short_name(member); !name.empty())
      names.push_back(name);
    else if (const llvm::DWARFDie inner = as_record(type_of(member)))
      gather_names(inner, names, depth - 1);
  }
}

// The names of an anonymous union's members.
std::string alternatives(llvm::DWARFDie record) {
  std::vector<std::string> names;
  gather_names(record, names, kMaxDepth);
  std::string text;
  for (size_t i = 0; i < names.size() && i < CULPRIT_LAYOUT_JOINED; ++i)
    text += (i == 0 ? "" : "|") + names[i];
  return names.size() > CULPRIT_LAYOUT_JOINED ? text + "|..." : text;
}

class Flattening {
public:
  // `folds`: arrays of structs are taken apart; otherwise they are one member.
  explicit Flattening(bool folds) : folds_(folds) {}

  // The pieces in order of their start; none if there are too many.
  std::vector<Piece> pieces(llvm::DWARFDie record) {
    add_record(record, {0, "", ""});
    if (is_full_)
      return {};
    std::ranges::sort(pieces_, {},
                      [](const Piece &piece) { return std::pair(piece.start, piece.end); });
    return std::move(pieces_);
  }

private:
  struct Place {
    uint64_t start;
    std::string path;
    std::string qualified;
  };

  void add(Piece piece) {
    is_full_ = is_full_ || pieces_.size() > kMaxPieces;
    if (!is_full_)
      pieces_.push_back(std::move(piece));
  }

  void add_record(llvm::DWARFDie record, const Place &at) {
    is_full_ = is_full_ || ++depth_ > kMaxDepth;
    for (const llvm::DWARFDie part : record.children()) {
      if (is_full_)
        break;
      const uint64_t start = at.start + number_of(part, dw::DW_AT_data_member_location);
      // Where a virtual base lies is known at run time only.
      if (part.getTag() == dw::DW_TAG_inheritance && !part.find(dw::DW_AT_virtuality)) {
        if (const llvm::DWARFDie base = as_record(type_of(part)))
          add_record(base, {start, at.path, joined(at.qualified, name_of(base) + "::")});
      } else if (is_data_member(part)) {
        const std::string name = short_name(part);
        add_member(part, at, {start, joined(at.path, name), joined(at.qualified, name)});
      }
    }
    --depth_;
  }

  void add_member(llvm::DWARFDie member, const Place &outer, const Place &at) {
    const llvm::DWARFDie type = type_of(member);
    const uint64_t size = bytes_of(type);
    if (const uint64_t bits = number_of(member, dw::DW_AT_bit_size); bits != 0) {
      add_bits(member, outer, at, bits, std::max<uint64_t>(size, 1) * 8);
      return;
    }
    add_type(type, size, short_name(member).empty(), at);
  }

  // DWARF 5 counts bits from the start of the struct; before, they were counted from the end of
  // what is written together.
  void add_bits(llvm::DWARFDie member, const Place &outer, const Place &at, uint64_t bits,
                uint64_t unit) {
    uint64_t first = at.start * 8;
    if (member.find(dw::DW_AT_data_bit_offset))
      first = outer.start * 8 + number_of(member, dw::DW_AT_data_bit_offset);
    else if (member.find(dw::DW_AT_bit_offset))
      first += number_of(member, dw::DW_AT_byte_size, unit / 8) * 8 -
               number_of(member, dw::DW_AT_bit_offset) - bits;
    add({first / 8, (first + bits + 7) / 8, at.path, at.qualified, false, first / unit * unit});
  }

  void add_type(llvm::DWARFDie type, uint64_t size, bool is_nameless, const Place &at) {
    if (const llvm::DWARFDie element = array_element(type)) {
      add_array(element, size, at);
      return;
    }
    const llvm::DWARFDie record = as_record(type);
    const llvm::DWARFDie held = record ? held_in_buffer(record) : llvm::DWARFDie();
    if (!record) {
      add({at.start, at.start + size, at.path, at.qualified, false});
    } else if (held) {
      add_type(held, std::min(size, bytes_of(held)), /*is_nameless=*/false, at);
    } else if (is_union(record)) {
      const std::string names = is_nameless ? alternatives(record) : "";
      add({at.start, at.start + size, joined(at.path, names), joined(at.qualified, names), false});
    } else {
      const size_t before = pieces_.size();
      add_record(record, at);
      // Nothing known of it (a class that is only declared here), and not just empty.
      if (pieces_.size() == before && (size > 1 || record.find(dw::DW_AT_declaration)))
        add({at.start, at.start + size, at.path, at.qualified, false});
    }
  }

  void add_array(llvm::DWARFDie element, uint64_t size, const Place &at) {
    const uint64_t step = bytes_of(element);
    const llvm::DWARFDie record = as_record(element);
    const bool is_flexible = size <= step;
    if (!record || is_union(record) || !folds_ || step == 0 || is_flexible) {
      add({at.start, at.start + size, at.path, at.qualified, is_flexible});
      return;
    }
    const size_t before = pieces_.size();
    for (uint64_t inner = 0; inner + step <= size && !is_full_; inner += step)
      add_record(record, {at.start + inner, at.path + "[]", at.qualified + "[]"});
    for (size_t i = before; i < pieces_.size(); ++i)
      pieces_[i].is_flexible = false;
  }

  bool folds_;
  bool is_full_ = false;
  int depth_ = 0;
  std::vector<Piece> pieces_;
};

bool share_bytes(const Piece &before, const Piece &next) {
  return next.start < before.end || (next.storage != kNoStorage && next.storage == before.storage);
}

void join_into(Piece &whole, const Piece &part) {
  whole.end = std::max(whole.end, part.end);
  if (whole.name.ends_with("|...") || part.name == whole.name)
    return;
  const bool is_last =
      static_cast<size_t>(std::ranges::count(whole.name, '|')) + 1 >= CULPRIT_LAYOUT_JOINED;
  whole.name += "|" + (is_last ? "..." : part.name);
  whole.qualified += "|" + (is_last ? "..." : part.qualified);
}

// Base classes may have members of the same name.
void tell_apart(std::vector<Piece> &pieces) {
  std::map<std::string, std::string> qualified;
  std::map<std::string, bool> is_ambiguous;
  for (const Piece &piece : pieces)
    if (qualified.try_emplace(piece.name, piece.qualified).first->second != piece.qualified)
      is_ambiguous[piece.name] = true;
  for (Piece &piece : pieces)
    if (is_ambiguous.contains(piece.name))
      piece.name = piece.qualified;
}

std::optional<Layout> layout_of_record(llvm::DWARFDie record, bool folds) {
  std::vector<Piece> merged;
  std::optional<Piece> flexible;
  std::vector<Piece> pieces = Flattening(folds).pieces(record);
  if (!pieces.empty() && pieces.back().is_flexible) {
    flexible = pieces.back();
    if (flexible->end == flexible->start)
      flexible->end = bytes_of(record); // what padding there is
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

  Layout layout;
  layout.size = static_cast<uint32_t>(bytes_of(record));
  std::map<std::string, uint32_t> numbers;
  auto member = [&](const Piece &piece) {
    const auto [known, is_new] =
        numbers.try_emplace(piece.name, static_cast<uint32_t>(layout.members.size()));
    if (is_new) // one without a name is told from its neighbours by where it is
      layout.members.push_back(piece.name.empty() ? "+" + std::to_string(piece.start) : piece.name);
    return known->second;
  };
  for (const Piece &piece : merged) {
    const uint32_t number = member(piece);
    if (piece.start >= layout.size)
      return std::nullopt; // contradicts itself
    if (layout.ranges.empty() || layout.ranges.back().member != number)
      layout.ranges.push_back(
          {layout.ranges.empty() ? 0 : static_cast<uint32_t>(piece.start), number});
  }
  if (flexible)
    layout.rest = member(*flexible) + 1;
  if (layout.members.size() > CULPRIT_LAYOUT_MEMBERS ||
      layout.ranges.size() > CULPRIT_LAYOUT_RANGES)
    return std::nullopt;
  return layout;
}

// Nothing: it is unknown or too large.
std::optional<Layout> layout_of(llvm::DWARFDie type) {
  if (const llvm::DWARFDie element = array_element(type))
    type = element;
  const llvm::DWARFDie record = as_record(type);
  if (!record || is_union(record) || bytes_of(record) == 0 ||
      bytes_of(record) > CULPRIT_LAYOUT_BYTES)
    return std::nullopt;
  std::optional<Layout> layout = layout_of_record(record, /*folds=*/true);
  if (!layout || layout->members.empty())
    layout = layout_of_record(record, /*folds=*/false);
  return layout;
}

} // namespace

uint32_t Layouts::of(llvm::DWARFDie type) {
  std::optional<Layout> layout = layout_of(type);
  return layout ? number_of_layout(std::move(*layout)) : 0;
}

uint32_t Layouts::with_more_behind(llvm::DWARFDie record) {
  std::optional<Layout> layout = layout_of(record);
  if (!layout || layout->members.empty() || layout->members.size() == CULPRIT_LAYOUT_MEMBERS)
    return 0;
  if (layout->rest == 0) {
    layout->members.emplace_back(kBehind);
    layout->rest = static_cast<uint32_t>(layout->members.size());
  }
  return number_of_layout(std::move(*layout));
}

uint32_t Layouts::number_of_layout(Layout layout) {
  if (layout.members.size() < 2 || layout.ranges.empty())
    return 0;
  const auto [known, is_new] =
      by_content_.try_emplace(layout, static_cast<uint32_t>(all_.size() + 1));
  if (is_new)
    all_.push_back(std::move(layout));
  return known->second;
}

} // namespace culprit::native
