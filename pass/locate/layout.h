// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flavour reorder (abi/layout.h): which variables can have another place, the table their
// places are looked up in, and what the engine needs to know of them to choose.
//
// Rules: numbers of definitions and places are given before, so they are those of the other locate
// flavours. First consider() every function, then demote() and rewrite each, then emit() once.
#pragma once

#include "pass/hooks.h"
#include "pass/locate/plan.h"
#include "pass/locate/tables.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <string>
#include <vector>

namespace culprit {

class LayoutTable {
public:
  LayoutTable(llvm::Module &module, Hooks &hooks);

  void consider(llvm::Function &function, const Plan &plan);
  // Keeps those of its locals in memory that are worth a place beside a buffer.
  void demote(llvm::Function &function, Plan &plan);
  bool is_demoted(const llvm::AllocaInst &place) const { return demoted_.contains(&place); }

  // Makes room in the table for a frame; the number of its first entry.
  uint64_t add_frame(const llvm::Function &function, const FrameLayout &frame);
  // What is in this entry.
  llvm::Value *look_up(llvm::IRBuilder<> &builder, uint64_t entry);
  uint64_t number_of(const llvm::Function &function) const { return numbers_.lookup(&function); }

  // Moves the global variables, and hands the table to the runtime before the unit is registered.
  void emit(const LocateTables &tables);

private:
  unsigned flags_of(const llvm::Value &variable, const llvm::Type &type) const;
  void note_entries();
  llvm::json::Array described_globals(const LocateTables &tables) const;
  llvm::GlobalVariable *pointers_table();
  llvm::GlobalVariable *array(llvm::ArrayRef<llvm::Constant *> rows, llvm::Type *type,
                              llvm::StringRef name, bool is_constant);

  llvm::Module &module_;
  Hooks &hooks_;
  std::vector<llvm::GlobalVariable *> globals_;
  llvm::GlobalVariable *table_;  // stands for the array until its size is known
  std::vector<uint64_t> frames_; // entries behind those of the globals
  llvm::json::Array described_frames_;
  llvm::DenseSet<const llvm::Value *> addresses_;
  struct Local {
    std::string name;
    unsigned definition; // stands for its declaration; 0: a parameter
  };
  llvm::DenseMap<const llvm::Value *, Local> locals_; // those with a name
  llvm::DenseSet<const llvm::AllocaInst *> demoted_;
  llvm::DenseSet<const llvm::Function *> alone_;
  llvm::DenseMap<const llvm::Function *, uint64_t> numbers_;
  bool has_global_buffer_ = false;
};

} // namespace culprit
