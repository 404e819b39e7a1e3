// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function gets its ids. Every value of the program has an id beside it, made where the value
// is made; every instruction that the plan names gets its definition or place; in the suppress
// flavour effects of corrupt values are jumped over. By concept: values and the walk in
// rewriter.cpp, memory in accesses.cpp, calls in calls.cpp, control flow in
// branches.cpp, what ends the program in stops.cpp.
//
// Blocks are visited in an order in which what dominates comes first, so an operand's id is there
// when it is asked for; phis get their inputs at the end. A variable that becomes a register has
// its id in a variable of its own, which becomes a register with it.
//
// Rules: visiting an instruction may split its block; the instruction itself stays and everything
// is inserted before it or right behind it. Values that stand in for the result of a call
// that may be left out have the id of the call.
#pragma once

#include "abi/locate.h"
#include "pass/locate/id_parameters.h"
#include "pass/locate/ids.h"
#include "pass/locate/library.h"
#include "pass/locate/plan.h"
#include "pass/locate/post_dominators.h"
#include "pass/locate/skipped_writes.h"
#include "pass/locate/telling_accesses.h"
#include "pass/locate/varargs.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <optional>
#include <vector>

namespace culprit {

class FunctionRewriter {
public:
  FunctionRewriter(llvm::Function &function, const Plan &plan, IdCode &code, LibraryIds &library,
                   VariadicIds &variadic, IdParameters &parameters);
  void rewrite();

private:
  using Builder = IdCode::Builder;

  // rewriter.cpp
  llvm::Value *id_of(llvm::Value *value) const;
  void set_id(llvm::Value *value, llvm::Value *id);
  // Of an operand that is handed on: a constant gets an id of its own here.
  llvm::Value *id_handed_on(Builder &builder, llvm::Instruction &instruction, unsigned operand);
  llvm::Value *newest_operand(Builder &builder, llvm::Instruction &instruction);
  void enter();
  void visit(llvm::Instruction &instruction);
  void compute(llvm::Instruction &instruction);
  void select(llvm::SelectInst &select);
  void divide(llvm::BinaryOperator &operation);
  void finish_phis();
  // The ids of a place's leaves are stored where a crash is looked for.
  void show(Builder &builder, const llvm::Instruction &at);
  llvm::MDNode *unlikely() const;

  // accesses.cpp
  void give_shadows();
  // Where the ids of a variable are that becomes one register or several; null: in memory.
  struct Shadow {
    llvm::AllocaInst *place = nullptr;
    uint64_t first = 0; // cells
    uint64_t count = 0;
  };
  Shadow shadow_of(const llvm::Value *address, llvm::Type *type) const;
  llvm::Value *cell_of(Builder &builder, const Shadow &shadow, uint64_t index);
  void store_in_all(Builder &builder, llvm::AllocaInst &shadow, llvm::Value *id);
  void declare(Builder &builder, llvm::AllocaInst &local, unsigned definition);
  void declare_returned(llvm::Instruction &from, const PlannedReturned &variable);
  void load(llvm::LoadInst &load);
  void store(llvm::StoreInst &store);
  // Where the pointer that an address is made of was loaded from; null: it was not, or it is no
  // memory.
  llvm::Value *home_of_pointer(llvm::Value *address) const;
  // Is this not where such a write belongs?
  llvm::Value *is_astray(Builder &builder, llvm::Value *address, uint64_t size,
                         llvm::Align alignment);
  llvm::Value *id_of_origin(llvm::StoreInst &store) const;
  // Of a copy: its own, or a new one if it is stored where it does not belong.
  // Whether an index of the address leaves the array that it is for; null: there is none.
  static llvm::Value *leaves_array(Builder &builder, llvm::Value *address);
  llvm::Value *id_of_copy(Builder &builder, llvm::StoreInst &store, unsigned definition);
  void update(llvm::Instruction &update, llvm::Value *address, unsigned address_operand,
              llvm::Value *value, llvm::Align alignment);

  // calls.cpp
  void call(llvm::CallBase &call);
  void call_seen(llvm::CallBase &call, CallKind kind);
  void hand_out(Builder &builder, llvm::CallBase &call);
  llvm::Value *id_of_result(Builder &builder, llvm::CallBase &call);
  void replace_corrupt_copy(Builder &builder, llvm::CallBase &call, unsigned argument);
  llvm::Value *argument_of_unseen(Builder &builder, llvm::CallBase &call);
  // Of all arguments together, corrupt if one is.
  llvm::Value *any_argument(Builder &builder, llvm::CallBase &call);
  void call_unseen(llvm::CallBase &call);
  void call_library(llvm::CallBase &call);
  // lent.cpp: a small object that a call of unseen code is given the address of.
  struct Lent {
    llvm::Value *address;
    llvm::Value *size; // as far as what it held is known
    llvm::Value *copy; // of that
  };
  llvm::SmallVector<Lent, 2> lend(Builder &builder, llvm::CallBase &call);
  void take_back(Builder &builder, llvm::ArrayRef<Lent> lent, llvm::Value *id);
  void keep_back(Builder &builder, llvm::CallBase &call, llvm::Value *id);
  void call_memory(llvm::AnyMemIntrinsic &call);
  // Behind a copy; what it wrote outside of what it was meant for has the id of the copy.
  void own_if_beyond(llvm::AnyMemTransferInst &copy, llvm::Instruction &next, llvm::Value *length,
                     llvm::Value *id);
  void tell_if_out(Builder &builder, llvm::Value *address, uint64_t size, llvm::Value *is_out,
                   llvm::Value *id);
  uint64_t room_of(const llvm::CallBase &call) const; // kNoRoomKnown: not known
  void own_behind_room(llvm::AnyMemTransferInst &copy, llvm::Instruction &next, llvm::Value *length,
                       llvm::Value *id);
  void copy_ids(llvm::AnyMemTransferInst &copy, llvm::Instruction &next, llvm::Value *length,
                llvm::Value *id);
  // Where the code after a call that returned goes; nullptr: nowhere.
  llvm::Instruction *behind(llvm::CallBase &call);
  // From `first`, which stands before the call, up to `next`, behind it, everything is jumped over
  // if `any` is corrupt; the call's result and the result's id are then (zero, corrupt).
  // Gives back a block that is passed then.
  llvm::BasicBlock *leave_out(llvm::CallBase &call, llvm::Instruction &first, llvm::Value *any,
                              llvm::Value *result_id, llvm::Instruction &next);
  void give_back(llvm::ReturnInst &result);

  // stops.cpp
  void call_stop(llvm::CallBase &call);
  void give_rooms_to_parts();
  void keep_part(llvm::Instruction &terminator);
  void keep_caller(Builder &builder);
  const llvm::BasicBlock *origin_of(const llvm::BasicBlock *before) const;
  llvm::Value *number_of_way(const Reasons &reasons, int node);
  llvm::Value *number_of_stop(const Reasons &reasons, unsigned unknown);
  void show_stops();

  // branches.cpp
  void branch(llvm::Instruction &terminator, llvm::Value *condition);
  llvm::BasicBlock *mark_unwritten(llvm::BasicBlock &before, llvm::BasicBlock &target,
                                   llvm::ArrayRef<SkippedWrites::Room> rooms);
  llvm::BasicBlock *return_block();
  bool is_of_ids(const llvm::PHINode &phi) const { return id_phis_.contains(&phi); }

  llvm::Function &function_;
  const Plan &plan_;
  IdCode &code_;
  LibraryIds &library_;
  VariadicIds &variadic_;
  IdParameters &parameters_;
  const llvm::DataLayout &layout_;
  std::optional<PostDominators> post_dominators_; // of the program's own blocks
  std::optional<SkippedWrites> skipped_;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> ids_;
  llvm::DenseMap<const llvm::AllocaInst *, llvm::AllocaInst *> shadows_;
  // Of calls whose result is several values.
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<llvm::Value *, 4>> record_ids_;
  llvm::DenseSet<const llvm::BasicBlock *> jumps_; // from here edges lead over what is left out
  llvm::SmallVector<std::pair<llvm::PHINode *, llvm::PHINode *>, 8> phis_; // and of ids
  llvm::DenseSet<const llvm::PHINode *> id_phis_;
  llvm::DenseMap<const llvm::Instruction *, llvm::BasicBlock *> origins_; // terminators' blocks
  llvm::DenseSet<const llvm::BasicBlock *> split_edges_; // blocks of ours behind an invoke
  llvm::SmallVector<llvm::Use *, 8> uses_of_result_;     // the program's own, of the call at hand
  llvm::BasicBlock *return_block_ = nullptr;
  struct {
    llvm::Value *number = nullptr;
    llvm::SmallVector<llvm::Value *, CULPRIT_LEAVES> ids;
  } caller_; // what it has shown
  struct PartIds {
    llvm::SmallVector<llvm::Value *, 4> leaves;
    llvm::SmallVector<llvm::AllocaInst *, 4> rooms;
  };
  llvm::DenseMap<const llvm::BasicBlock *, PartIds> parts_; // by the program's blocks
  llvm::SmallVector<llvm::AllocaInst *, 2> copies_;         // of what is lent, of any call
  struct Telling {
    llvm::Instruction *access;
    unsigned place;
    std::vector<ToldLeaf> leaves;
  };
  std::vector<Telling> telling_; // accesses, replaced when all is known
  bool shows_by_itself(const llvm::Instruction &at, const PlannedPlace &place);
  ToldLeaf told_leaf(const llvm::Instruction &at, unsigned number, llvm::Value *leaf);
  // Before a call that may end in a full stack: the access before it.
  void show_last(Builder &builder);
  struct Shown {
    unsigned place = 0; // 0: not known
    llvm::SmallVector<llvm::Value *, 4> ids;
  };
  Shown last_;
  llvm::DenseMap<const llvm::BasicBlock *, Shown> last_of_; // at the end of the program's blocks
  // Where a leaf's id came from, by name: a register's cell and how often it was written before.
  using Source = std::pair<const llvm::Value *, std::pair<uint64_t, unsigned>>;
  Source source_of(const llvm::Value *leaf) const;
  llvm::DenseMap<const llvm::Value *, Source> read_from_;
  llvm::DenseMap<const llvm::Value *, unsigned> writes_;
  llvm::DenseMap<const llvm::Value *, llvm::LoadInst *> loaded_by_; // of loads that may be left out
  llvm::SmallVector<Source, 8> shown_; // what stands in __culprit_leaves for certain
};

} // namespace culprit
