// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The members of types, from the debug information of an executable: the same names as pass/layouts
// gives them in the flavours (docs/names.md has the rules, abi/access.h the limits). Two pieces of
// code, since the one reads the compiler's own data and the other DWARF.
#pragma once

#include "llvm/DebugInfo/DWARF/DWARFDie.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace culprit::native {

struct MemberRange {
  uint32_t start = 0;
  uint32_t member = 0;
  auto operator<=>(const MemberRange &) const = default;
};

struct Layout {
  uint32_t size = 0;
  uint32_t rest = 0; // number of a member + 1; 0: repeated
  std::vector<std::string> members;
  std::vector<MemberRange> ranges;
  auto operator<=>(const Layout &) const = default;
};

class Layouts {
public:
  // Positions + 1; 0: the type is unknown, too large, or has but one name to give. Of an array, the
  // elements' layout.
  uint32_t of(llvm::DWARFDie type);
  // The same with one more member for what a block has behind the struct.
  uint32_t with_more_behind(llvm::DWARFDie record);
  const std::vector<Layout> &all() const { return all_; }

private:
  uint32_t number_of_layout(Layout layout);

  std::vector<Layout> all_;
  std::map<Layout, uint32_t> by_content_;
};

} // namespace culprit::native
