// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of a function's definitions and places, given before anything is inserted, and which
// leaves each place shows.
//
// Rules: the plan is the same in both flavours. What a place needs to be found again are the
// program's own values, which the rewriting keeps track of.
#pragma once

#include "pass/locate/data_stack.h"
#include "pass/locate/leaves.h"
#include "pass/locate/reasons.h"
#include "pass/locate/tables.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Instructions.h"

#include <vector>

namespace culprit {

class VariableNames;

// What a call is, as far as ids are concerned.
enum class CallKind : uint8_t {
  nothing,  // nothing that the program could see (debug information, assumptions)
  computed, // an intrinsic that only computes
  copies,   // memcpy, memmove
  fills,    // memset
  seen,     // code of this unit, by name
  unknown,  // through a pointer: seen or not
  unseen,
  stops, // unseen, and does not return
};

CallKind kind_of(const llvm::CallBase &call);

// Is its body instrumented?
bool is_seen(const llvm::Function &function);

// The value that a local variable gets when it is declared, if this copies it there; null: it
// copies something else.
const llvm::Constant *initializer_of(const llvm::AnyMemTransferInst &copy);

// Allocations and frees tell the runtime their definition.
bool is_allocation_call(const llvm::CallBase &call);
bool is_free_call(const llvm::CallBase &call);

struct PlannedPlace {
  unsigned number = 0; // 0: none, nothing can go wrong here
  llvm::SmallVector<Leaf, 4> leaves;
};

// What a leaf's id is, when a crash asks: that of the memory a value was loaded from, or of a
// value.
struct LateTerm {
  llvm::LoadInst *load = nullptr;
  llvm::Value *value = nullptr; // if there is no load
};
// The first is a load; if that has found what nobody wrote, the newest of all.
using LateLeaf = llvm::SmallVector<LateTerm, 2>;

// A call that does not return, with several ways to it: each has a place of its own, and shows the
// leaves of the branches that decided.
struct PlannedStop {
  struct Part {
    llvm::BasicBlock *block;
    llvm::SmallVector<Leaf, 4> leaves; // of what it branches by
  };
  Reasons reasons;
  llvm::SmallVector<Part, 4> parts;
};

struct PlannedReturned {
  llvm::Argument *place;
  unsigned definition;
};

struct Plan {
  // A store, a result, a write of a library function.
  llvm::DenseMap<const llvm::Instruction *, unsigned> definitions;
  // Operands that are constants handed on: of calls, returns, phis and selects.
  llvm::DenseMap<std::pair<const llvm::Instruction *, unsigned>, unsigned> constants;
  llvm::DenseMap<const llvm::AllocaInst *, unsigned> variables; // declarations
  // Before these instructions a variable begins to live where the result is wanted.
  llvm::DenseMap<const llvm::Instruction *, PlannedReturned> returned;
  llvm::DenseMap<const llvm::Instruction *, PlannedPlace> places;
  // Their place is the one for ways that are not known; its leaves are those of all parts.
  llvm::MapVector<llvm::CallBase *, PlannedStop> stops;
  // Calls that do not return, whatever happens in the function: the place is its caller's.
  llvm::DenseSet<const llvm::CallBase *> stops_of_caller;
  llvm::DenseMap<const llvm::AllocaInst *, Home> homes;
  // Stores of copies that are definitions only if they go astray.
  llvm::DenseSet<const llvm::StoreInst *> may_go_astray;
  // Copies and loads of pointers by an address that may be another element's than is meant.
  llvm::DenseSet<const llvm::Instruction *> elements;
  // Leaves of places, by number, whose ids are read when a crash asks for them (id_needs.h).
  llvm::DenseMap<std::pair<const llvm::Instruction *, unsigned>, LateLeaf> late;
  // Values of whose ids only matters whether they are corrupt.
  llvm::DenseSet<const llvm::Instruction *> unasked;
  // Of library functions that write a member of a record, or a local variable: bytes it has.
  llvm::DenseMap<const llvm::Instruction *, uint64_t> rooms;
  // Calls by name that may lead back here before they return: a stack may end there.
  llvm::DenseSet<const llvm::CallBase *> recursions;
};

Plan make_plan(llvm::Function &function, LocateTables &tables);

} // namespace culprit
