// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The access sites of a unit and their rows (abi/access.h; "accesses" and "rows" of abi/sites.h).
//
// An access site is a place in the source that reads or writes. All copies the optimiser made of it
// (inlined, unrolled, vectorised, the rest of a loop) are one: a copy that runs for the first time
// in a checked run is nothing new. What such copies differ in is the number of bytes they touch at
// once and how they are aligned, so a site has one row for each size, alignment and set of flags.
//
// Library code that was inlined into the program belongs to the place that calls it, as what the C
// library does: else std::copy() would be one site that writes everything. Where in the library it
// is makes no difference. Rejected: a site for each place there, too. A container that grows writes
// its elements from two of them, one of which hardly ever runs: such pairs are news in good runs,
// and a program that has them is judged by a higher bar.
#pragma once

#include "pass/own_caller.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/JSON.h"

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class Constant;
class Module;
} // namespace llvm

namespace culprit {

struct AccessSite {
  uint64_t id;
  std::string file;
  unsigned line;
  unsigned column;
  std::string function;
  std::string callee; // the library function that reads or writes on its behalf
  bool is_read;
  bool is_direct; // every copy of it
};

struct Row {
  unsigned site;
  uint8_t size;
  uint8_t flags;         // culprit_row_flag
  llvm::Align alignment; // at least
};

// One of the others of a joint row.
struct JoinedRow {
  int64_t distance; // of its access from the first one
  unsigned row;
  auto operator<=>(const JoinedRow &) const = default;
};

class AccessSites {
public:
  // The row of this instruction, which accesses `size` bytes (0: a range); flags are
  // culprit_row_flag. Rows are numbered in the order in which they are first asked for.
  unsigned row(const llvm::Instruction &instruction, llvm::StringRef callee, unsigned size,
               unsigned flags, llvm::Align alignment);

  // The first of two rows: where the accesses of all these rows are known, and where that cannot be
  // said together (abi/access.h).
  unsigned joint_row(unsigned first, llvm::ArrayRef<JoinedRow> others);

  unsigned rows() const { return static_cast<unsigned>(rows_.size()); }

  // Adds both tables.
  void describe(llvm::json::Object &tables) const;
  // An array of culprit_row_info.
  llvm::Constant *row_infos(llvm::Module &module) const;

private:
  unsigned site(const llvm::Instruction &instruction, llvm::StringRef callee, unsigned flags);

  OwnCallers own_callers_;
  std::vector<AccessSite> sites_;
  llvm::StringMap<unsigned> by_key_;
  std::vector<Row> rows_;
  llvm::DenseMap<uint64_t, unsigned> by_row_;
  std::map<std::pair<unsigned, std::vector<JoinedRow>>, unsigned> joint_;
};

} // namespace culprit
