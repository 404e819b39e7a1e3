// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inline checks of access flavours (abi/access.h): before an access, the tag of its granule
// selects a byte of the access's row; the runtime is called if the bit for the place within the
// granule is not set.
//
// Tags and rows are reached from gs (abi/access.h), which leaves all registers to the program. Rows
// too far from it, the counters, and the rows of other than main units have a register of their
// own, filled once per function, before the first check and outside all loops.
//
// What is accessed at one address in several rounds of a loop has its check behind a flag
// (access_once.h).
//
// Where the compiler lost what the source knew of an address's alignment (arguments passed by
// value), the aligned case has a check of its own: one bit then describes it, and no tail is
// needed.
#pragma once

#include "abi/access.h"
#include "pass/access_joining.h"
#include "pass/access_once.h"
#include "pass/access_unit.h"
#include "pass/accesses.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"

namespace culprit {

class Hooks;

class AccessChecks {
public:
  // features are culprit_feature: what is counted or told one by one.
  AccessChecks(llvm::Function &function, unsigned features, AccessUnit &unit, Hooks &hooks);

  // All accesses of the function that are to be checked, and sets of them that share a check or are
  // checked once in a loop. Their places are taken before any is changed.
  void insert(llvm::ArrayRef<Access> accesses, llvm::ArrayRef<JoinedAccesses> joined,
              llvm::ArrayRef<OnceAccesses> once);

private:
  // A run of bytes, checked before an instruction.
  struct Bytes {
    llvm::Instruction *before;
    llvm::Value *first;
    uint64_t size;
    llvm::Align alignment;
  };

  void insert_one(const Access &access);
  void insert_joint(llvm::ArrayRef<Access> accesses, const JoinedAccesses &set);
  llvm::AllocaInst *insert_once(llvm::ArrayRef<Access> accesses, const OnceAccesses &set);
  llvm::Constant *describe_set(unsigned row, unsigned joint, llvm::ArrayRef<JoinedRow> others);
  // The end of the block that is gone through if the row has no bit for the address. `count`: what
  // is added to its counter; null: none.
  llvm::Instruction *branch_if_new(llvm::Instruction *before, llvm::Value *address, unsigned row,
                                   llvm::Align alignment, llvm::Value *count);
  // The same if it does not know every start in the address's granule. Asked first of what is
  // likely to be an array: it takes an instruction less.
  llvm::Instruction *branch_if_partly_new(llvm::Instruction *before, llvm::Value *address,
                                          unsigned row);
  llvm::Value *load_tag(llvm::IRBuilder<> &builder, llvm::Value *number);
  llvm::Value *load_bits(llvm::IRBuilder<> &builder, llvm::Value *tag, unsigned row);
  unsigned flags_of(const Access &access) const;
  void check_natural(const Access &access, const Bytes &bytes, unsigned flags);
  void check_parts(const Access &access, const Bytes &bytes, unsigned flags);
  void check_part(const Access &access, const Bytes &part, unsigned flags);
  void check_byte(const Access &access, llvm::Instruction *before, llvm::Value *address,
                  unsigned row, llvm::Align alignment, llvm::Value *count);
  void tell_range(const Access &access, llvm::Value *address, llvm::Value *length, unsigned flags);
  void tell_lanes(const Access &access, unsigned flags);
  void make_bases(llvm::ArrayRef<Access> accesses);

  llvm::Function &function_;
  unsigned features_;
  AccessUnit &unit_;
  Hooks &hooks_;
  const llvm::DataLayout &layout_;
  llvm::MDNode *rarely_;
  llvm::Value *tags_ = nullptr; // CULPRIT_TAG_BASE, the base of gs
  llvm::Value *rows_ = nullptr; // rows_at_, less the rows of units before this one
  uint64_t rows_at_ = CULPRIT_TAG_BASE;
  llvm::Value *counts_ = nullptr; // CULPRIT_COUNT_BASE, and so on
};

} // namespace culprit
