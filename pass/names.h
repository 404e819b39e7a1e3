// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lies where, as the unit tells it to the runtime and the engine: its table of variables
// (globals first), the layouts of types, and the layouts of the blocks that its sites allocate
// (abi/access.h, abi/sites.h).
//
// Locals are added as they are found. All that inlined copies of one variable have in common is
// what is said here, so they share one entry and one culprit_variable.
#pragma once

#include "pass/access_unit.h"
#include "pass/block_layouts.h"
#include "pass/layouts.h"
#include "pass/variables.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <vector>

namespace culprit {

class Names {
public:
  // Looks for the globals, which are those of the program as long as nothing is inserted.
  Names(llvm::Module &module, AccessUnit &unit, const RecordTypes &types, const Wrappers &wrappers);

  Layouts &layouts() { return layouts_; }
  BlockLayouts &block_layouts() { return block_layouts_; }
  // The culprit_variable of a local, of the gap behind one, or of a return slot. Copies of one
  // local with other gaps have other tags: each has its own.
  llvm::Constant *local(const Variable &variable, uint64_t gap = 0);

  // The structs whose members have names of their own in blocks or globals, so that one granule may
  // say where in the struct it lies. To be called when all blocks have their layouts.
  llvm::StringSet<> told_apart() const;

  // Hands everything over to the unit. Nothing can be added from here on.
  void emit(const SiteTable &sites);

private:
  llvm::Constant *variable_constant(const Variable &variable, size_t index);
  llvm::Constant *numbers(const std::vector<uint32_t> &list, llvm::StringRef name);
  void emit_globals();
  void emit_layouts();

  llvm::Module &module_;
  AccessUnit &unit_;
  Layouts layouts_;
  BlockLayouts block_layouts_;
  size_t globals_;    // with what lies behind them
  unsigned gaps_ = 0; // of these
  std::vector<Variable> variables_;
  llvm::StringMap<llvm::Constant *> locals_;
};

} // namespace culprit
