// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the numbers in ids and in __culprit_place stand for: the definitions and places of a unit
// (abi/sites.h), and the unit itself as the runtime gets it (abi/locate.h).
//
// Numbers are given in the order of adding, from 1. Both locate flavours of a program must number
// alike, so everything is added while the module is still the program's own (plan.h), and what is
// added never depends on the flavour.
#pragma once

#include "pass/source_place.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <string>
#include <vector>

namespace culprit {

struct LeafName {
  std::string name;
  llvm::StringRef role;
};

class LocateTables {
public:
  explicit LocateTables(llvm::Module &module);

  struct Definition {
    llvm::StringRef kind;
    SourcePlace place;
    std::string variable;
    std::string callee;
    std::vector<std::string> leaves;
    uint64_t size = 0;       // of a store; of a library function: of the member that it writes
    std::string object = {}; // that it is meant for, whatever the address turns out to be
    unsigned marks = 0;      // CULPRIT_MARK_…
  };
  unsigned add_definition(const Definition &definition);
  struct Place {
    llvm::StringRef kind;
    SourcePlace place;
    uint64_t size;
    std::string callee;
    std::vector<LeafName> leaves;
  };
  unsigned add_place(const Place &place);
  // A variable that has this definition until it is written.
  void add_global(llvm::GlobalVariable &variable, uint64_t size, unsigned definition);

  unsigned definition_of(const llvm::GlobalVariable &variable) const; // 0: it has none
  // Definitions of initial values are the first.
  unsigned globals() const { return static_cast<unsigned>(globals_.size()); }

  // u64[definitions + 1]; its size is known when everything is emitted.
  llvm::GlobalVariable &attention() { return *attention_; }

  // The unit, its constructor and the frame. Nothing can be added from here on.
  void emit(unsigned features);

private:
  struct InitialDefinition {
    llvm::GlobalVariable *variable;
    uint64_t size;
    unsigned definition;
  };
  unsigned number_of(llvm::StringRef text);
  llvm::Constant *globals_table();
  uint64_t embed_tables();

  llvm::Module &module_;
  llvm::GlobalVariable *attention_; // stands for the array until its size is known
  llvm::StringMap<unsigned> numbers_;
  llvm::json::Array strings_;
  llvm::json::Array definitions_;
  llvm::json::Array places_;
  std::vector<InitialDefinition> globals_;
};

} // namespace culprit
