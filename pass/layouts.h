// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The members of types, from the debug information (culprit_layout in abi/access.h).
//
// Structs inside structs and base classes are taken apart down to scalars; an array of scalars is
// one member, an array of structs one for each of theirs, in as many ranges as it has elements.
// Members that overlap are one, since an access of the one is an access of the other: those of
// unions, and bit fields that are written together ("a|b"). Padding belongs to what comes before
// it.
//
// The raw memory in the nodes of C++ containers is taken for the element that it holds.
//
// A flexible array at the end (also of 0 or 1 elements, as old C writes it) goes on to the end of
// the block; otherwise a larger block repeats the layout. A block that holds one struct and
// something else behind it has a layout of its own, with a member more.
//
// Layouts are told apart by what they say, not by the type's node: C has one node per source file.
#pragma once

#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class DIType;
} // namespace llvm

namespace culprit {

struct Member {
  std::string name;
  uint32_t start; // of its first range
  bool is_array;
};

struct MemberRange {
  uint32_t start;
  uint32_t member;
};

struct Layout {
  std::string type;
  uint32_t size;
  uint32_t rest; // number of a member + 1; 0: repeated
  std::vector<Member> members;
  std::vector<MemberRange> ranges;
  std::vector<std::string> records; // names of the structs in it, and linkage names of classes
};

class Layouts {
public:
  // Numbers are positions + 1; 0: the type is unknown, too large, or has but one name to give.
  // Of an array, the elements' layout.
  uint32_t of(const llvm::DIType *type);
  // Of a block that holds one such struct and more behind it.
  uint32_t with_more_behind(const llvm::DIType *type);

  const std::vector<Layout> &all() const { return all_; }
  // The name of the member at this offset; "" if there is no layout.
  llvm::StringRef member_at(uint32_t number, uint64_t offset) const;

private:
  uint32_t intern(Layout layout);

  std::vector<Layout> all_;
  llvm::StringMap<uint32_t> by_content_;
};

} // namespace culprit
