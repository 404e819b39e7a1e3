// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code that makes ids and keeps them in memory: short sequences in terms of abi/locate.h,
// without knowledge of what they are inserted for.
//
// Rules: shadow memory is always mapped, so its accesses need no order to the program's own. What a
// crash is blamed on is stored by volatile stores: a fault is no event that the optimiser knows of,
// and it would move or join the stores across the access.
#pragma once

#include "pass/hooks.h"
#include "pass/locate/tables.h"

#include "llvm/IR/IRBuilder.h"

namespace culprit {

class IdCode {
public:
  using Builder = llvm::IRBuilder<>;

  IdCode(llvm::Module &module, LocateTables &tables, Hooks &hooks, unsigned features);

  bool suppresses() const { return suppresses_; }
  bool keeps_origins() const { return keeps_origins_; }
  // Whether functions will have a copy for as long as they meet nothing corrupt (clean_copies.h).
  bool has_clean_copies() const { return suppresses_ && !keeps_origins_; }
  Hooks &hooks() { return hooks_; }
  llvm::ConstantInt *number(uint64_t value) const;
  llvm::ConstantInt *corrupt() const;
  llvm::Value *is_corrupt(Builder &builder, llvm::Value *id) const;

  // A new id of this definition. In the suppress flavour it may be raw: corrupt just because its
  // definition is under suspicion.
  llvm::Value *raw_id(Builder &builder, unsigned definition);
  // What a raw id that is corrupt really is.
  llvm::Value *fired(Builder &builder, llvm::Value *raw);
  // Of a store to this address, which is made by a pointer loaded from there (null: by none).
  llvm::Value *fired_at(Builder &builder, llvm::Value *raw, llvm::Value *address,
                        llvm::Value *through);
  // A new id, not raw. The builder's block may be another one afterwards, its insertion point is
  // the same instruction.
  llvm::Value *new_id(Builder &builder, unsigned definition);
  // Of a declaration: no time.
  llvm::Value *declared_id(Builder &builder, unsigned definition);

  // Has anything become corrupt so far?
  llvm::Value *is_armed(Builder &builder);
  // The highest number that stands for an initial value.
  uint64_t last_initial() const { return tables_.globals(); }

  // The most recent of two, and a corrupt one before all.
  llvm::Value *newer(Builder &builder, llvm::Value *a, llvm::Value *b);
  // The same of two cells of one value.
  llvm::Value *newer_cell(Builder &builder, llvm::Value *a, llvm::Value *b);
  // Corrupt if one is; nothing else is said.
  llvm::Value *corrupt_with(Builder &builder, llvm::Value *a, llvm::Value *b);
  // `id`, corrupt if `other` is.
  llvm::Value *tainted(Builder &builder, llvm::Value *id, llvm::Value *other);

  // `id` of a value that was computed from one of id `of`: flavour origins keeps that one if it is
  // of memory that nobody has written.
  llvm::Value *kept(Builder &builder, llvm::Value *id, llvm::Value *of);
  // The id of a value that was computed from one of this id, and is stored nowhere.
  llvm::Value *derived(Builder &builder, llvm::Value *id);
  // Of bytes in memory: not so if somebody has written them whom nobody saw. As in new_id.
  llvm::Value *unless_written(Builder &builder, llvm::Value *id, llvm::Value *address,
                              uint64_t size);
  // Corrupt, or of such memory.
  llvm::Value *is_marked(Builder &builder, llvm::Value *id) const;

  // Of a pointer that may be another element's: if nothing has written it since the program began,
  // what made its address is why it is used.
  llvm::Value *unless_initial(Builder &builder, llvm::Value *id, llvm::Value *address_id);

  // An id that comes from elsewhere: a clean copy asks whether it is corrupt.
  llvm::Value *given(Builder &builder, llvm::Value *id) const;

  llvm::Value *load_cells(Builder &builder, llvm::Value *address, uint64_t size,
                          llvm::Align alignment);
  // The same of a value that is read: where nothing is stained a clean copy need not look.
  llvm::Value *read_cells(Builder &builder, llvm::Value *address, uint64_t size,
                          llvm::Align alignment);
  // The same, and nothing is asked but whether it is corrupt.
  llvm::Value *corrupt_cells(Builder &builder, llvm::Value *address, uint64_t size,
                             llvm::Align alignment);
  void store_cells(Builder &builder, llvm::Value *address, uint64_t size, llvm::Align alignment,
                   llvm::Value *id);

  // The cells of a small copy, whole cells only. False: nothing was inserted.
  bool copy_cells(Builder &builder, llvm::Value *to, llvm::Value *from, uint64_t size,
                  llvm::Align alignment);

  // An id that is null is there already. `by_row`: only the machine can find fault with what comes
  // next (mark_place in slots.h).
  void show_place(Builder &builder, unsigned number, llvm::ArrayRef<llvm::Value *> ids,
                  bool by_row);
  // Its number depends on the way there.
  void show_place(Builder &builder, llvm::Value *number, llvm::ArrayRef<llvm::Value *> ids);
  // Of a call of unseen code: the arguments that are pointers, null for others.
  void show_pointers(Builder &builder, llvm::CallBase &call);

  // The variables shared with the runtime.
  llvm::GlobalVariable *variable(llvm::StringRef name, llvm::Type *type);
  llvm::GlobalVariable *callee();
  llvm::Constant *result_id(unsigned number = 0); // others than 0 stand for one only (records.h)
  llvm::GlobalVariable *allocation_id();
  llvm::GlobalVariable *nothing();

private:
  llvm::Value *is_unwritten(Builder &builder, llvm::Value *id) const;
  llvm::Value *cell(Builder &builder, llvm::Value *address);
  llvm::Value *element(llvm::GlobalVariable &array, unsigned index);
  void show_leaves(Builder &builder, llvm::ArrayRef<llvm::Value *> ids);

  llvm::Module &module_;
  LocateTables &tables_;
  Hooks &hooks_;
  bool suppresses_;
  bool keeps_origins_;
  llvm::IntegerType *wide_;
};

} // namespace culprit
