// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places and values for people: a variable by its name, a place in a block by the shortest way from
// a variable to it ("h->(8)->(0)": what lies 8 bytes behind where h points to; members have no
// names here so far), a pointer by the block it means or by the argument's text, a number as it is.
// Blocks are numbered by the place that allocates them, in the same way for both runs.
#pragma once

#include "engine/explain/difference.h"
#include "engine/explain/snapshot.h"
#include "engine/explain/tables.h"

#include <map>
#include <string>
#include <unordered_map>

namespace culprit::explain {

struct Side {
  const Snapshot &snapshot;
  const Tables &tables;
};

class Naming {
public:
  Naming(Side passing, Side failing);

  // What the place is called in the failing run.
  std::string name(const Place &place) const;
  // "3", "NULL", "block 2 of list.c:14"
  std::string passing_value(const Difference &difference) const;
  std::string failing_value(const Difference &difference) const;

private:
  void number_blocks(const Side &side);
  void find_ways();
  std::string variable(const Region &region, const Tables &tables, uint64_t offset) const;
  std::string pointer(const Place &place, const Side &side) const;
  std::string value(const Difference &difference, const Side &side) const;

  Side passing_;
  Side failing_;
  std::unordered_map<uint64_t, std::string> blocks_; // by index: how they are called
  std::map<uint64_t, size_t> counts_;                // by the id of the site
  std::unordered_map<uint64_t, std::string> ways_;   // by index of a block: who points to it
};

} // namespace culprit::explain
