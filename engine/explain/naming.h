// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places and values for people. A variable goes by its name ("shelf", in another function than the
// one that is executed "place::shelf"), a place in a block by the shortest way from a variable to
// it
// ("h->next->val"; without debug information "h->(8)->(0)"), a pointer by the object it means, a
// text as text, a number as its type has it. Blocks are numbered by the place that allocates them,
// in the same way for both runs.
#pragma once

#include "engine/explain/difference.h"
#include "engine/explain/snapshot.h"
#include "engine/explain/tables.h"

#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace culprit::explain {

struct Side {
  const Snapshot &snapshot;
  const Tables &tables;
};

// One variable, or part of one, in both runs.
struct NamedValue {
  std::string name;
  std::string passing;
  std::string failing;
};

class Naming {
public:
  Naming(Side passing, Side failing);

  // What differs there: mostly one thing, but four bytes may be two members.
  std::vector<NamedValue> describe(const Difference &difference) const;
  // Does a number of eight bytes begin there?
  bool is_number(const Place &place) const;
  // Of several, each once.
  std::vector<NamedValue> describe(const std::vector<Difference> &differences) const;

private:
  // How a block is reached: a pointer to so many bytes into it, of this type.
  struct Way {
    std::string text;
    uint32_t type = 0; // what the pointer points to, in the failing run's tables
    uint64_t offset = 0;
  };
  // A part of a region, with its whole name.
  struct Part {
    std::string name;
    uint64_t start = 0;
    uint64_t size = 0;
    uint32_t type = 0;
    bool is_text = false;
    bool is_known = false;             // else: the difference as it is
    std::vector<Leaf::Bits> bits = {}; // with their whole names, and where in the region
  };
  void number_blocks(const Side &side);
  void find_ways();
  void look_into(const Region &region, bool into_middle, std::deque<const Region *> &open);
  std::string variable(const Region &region, const Side &side) const;
  Part part_at(const Region &region, const Side &side, const Difference &difference,
               uint64_t offset, Holds holds) const;
  Part part_of_block(const Region &region, const Difference &difference, uint64_t offset,
                     Holds holds) const;
  // In either run, where both have the region.
  Holds held_at(const Region &there, const Region &here, uint64_t offset) const;
  std::string pointer(const Place &place, const Side &side, uint32_t pointee) const;
  std::string value(const Region &region, const Part &part, const Side &side, bool is_pointer,
                    bool as_text) const;
  // " (+16)": how far into its object the pointer there points.
  static std::string offset_text(const Region &region, const Part &part, const Side &side);
  std::vector<NamedValue> describe_block(const Region &there, const Region &here) const;
  static NamedValue describe_file(const Region *there, const Region *here);
  std::vector<NamedValue> describe_bits(const Part &part, const Region &there,
                                        const Region &here) const;

  Side passing_;
  Side failing_;
  std::string function_;                             // in which the runs stand
  std::unordered_map<uint64_t, std::string> blocks_; // by index: how they are called
  std::map<uint64_t, size_t> counts_;                // by the id of the site
  std::unordered_map<uint64_t, Way> ways_;           // by index of a block
};

} // namespace culprit::explain
