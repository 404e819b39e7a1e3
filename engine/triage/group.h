// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs with the same first corruption are one group.
//
// What a corruption comes to depends on what it meets: the same write past a buffer is a damaged
// guard word here, a wild access there. So kinds of error tell groups apart only where the
// statement's part in them differs: memory used after its end, memory used before it was written,
// and all others.
// Rules: a pure function of the records. Groups are in order of size, then of id. An id depends on
// the identity of the first corruption and the class of the error alone.
#pragma once

#include "engine/triage/record.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::triage {

struct Group {
  std::string id = {};
  std::vector<size_t> members = {}; // positions of the records, in order
  // How many links at the end of all chains are the same. The link before these may be blamed on
  // the same as well, with other crashes: those of the first corruption always are.
  size_t common = 0;
  bool same_causes_before = false;
  size_t frame_groups = 0; // into how many the top three frames would part it
};

// "freed", "unwritten" or "written".
std::string_view class_of(std::string_view error);
// Of a first corruption with this identity and kind of error.
std::string group_id(std::string_view identity, std::string_view error);
std::string group_id(const Record &record);

// Those of the records that are located.
std::vector<Group> group(std::span<const Record> records);

// Into how many groups the top three frames would part all that are located.
size_t frame_groups(std::span<const Record> records);

} // namespace culprit::triage
