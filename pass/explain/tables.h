// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sites, functions and variables of the explain flavour, as the runtime gets them
// (abi/explain.h) and as the engine reads them (abi/sites.h).
//
// Ids come from the source and from nothing else: names, what a statement looks like (shape.h), and
// the ordinal among equals. Two builds of an edited program so share what was not edited.
#pragma once

#include "pass/explain/ids.h"
#include "pass/explain/types.h"
#include "pass/source_place.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <string>
#include <vector>

namespace culprit {

class ExplainTables {
public:
  explicit ExplainTables(llvm::Module &module);

  struct Site {
    llvm::Instruction *at; // where in the source
    SiteKind kind;
    unsigned ways; // to go on that can be chosen instead: 1, of a switch all; 0: it does not decide
    llvm::StringRef allocation; // the allocation function called; empty: it is none
  };
  // Its number, from 1.
  unsigned add_site(const Site &site);
  // The number of a variable's name, from 1. The type may be null: not known.
  unsigned add_name(llvm::StringRef name, llvm::StringRef function, const llvm::DIType *type);
  // Once the function's control flow is final.
  void set_counters(unsigned site, llvm::ArrayRef<unsigned> counters);

  struct Local {
    std::string name; // empty: a temporary
    uint32_t offset;
    uint32_t size;
    const llvm::DIType *type; // null: not known
  };
  // The culprit_explained_function.
  llvm::GlobalVariable &add_function(const llvm::Function &function, uint32_t size,
                                     unsigned counters, llvm::ArrayRef<Local> locals);

  // The unit, its constructor and the frame. Nothing can be added from here on.
  void emit();

private:
  struct Row {
    uint64_t id;
    uint32_t first_counter;
    uint16_t counters;
    uint16_t flags;
  };
  unsigned number_of(llvm::StringRef text);
  void fill_thread_locals(llvm::IRBuilder<> &builder, llvm::GlobalVariable &rows);
  llvm::Constant *global_row(llvm::GlobalObject &object);
  llvm::GlobalVariable *table(llvm::StringRef name, llvm::Type *row,
                              llvm::ArrayRef<llvm::Constant *> rows);
  llvm::GlobalVariable *globals_table(uint64_t &count);
  llvm::GlobalVariable *sites_table();
  uint64_t embed_tables();

  llvm::Module &module_;
  llvm::StringMap<unsigned> numbers_;
  ExplainIds ids_;
  llvm::json::Array strings_;
  llvm::json::Array points_;
  llvm::json::Array names_;
  ExplainTypes types_;
  std::vector<Row> sites_;
  std::vector<uint32_t> counters_;
  llvm::SmallVector<std::pair<unsigned, llvm::GlobalVariable *>> thread_locals_; // rows
};

} // namespace culprit
