// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ids and the C library (pass/library_table.h): what a call of it writes for its caller gets an id,
// bytes that it copies keep theirs, and what it reads is looked at before the call is made.
//
// Rules: everything here is for calls of code that nobody sees. Ids are arguments: this part knows
// nothing of definitions. What is looked up or measured in the caller's memory may fault as the
// call itself would: the place of the call is to be shown first. Known limits: arguments behind a
// va_list are not looked at; what a scanf writes under a format that is not a constant has no id.
#pragma once

#include "pass/library_calls.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"

namespace culprit {

class Hooks;
struct LibraryAccess;

// Of a write: how much room there is for it is not known.
constexpr uint64_t kNoRoomKnown = ~uint64_t{0};

class LibraryIds {
public:
  using Builder = llvm::IRBuilder<>;

  LibraryIds(llvm::Module &module, Hooks &hooks);

  // Is it known what it reads and writes?
  static bool is_known(const llvm::CallBase &call);
  // Does it write the caller's memory, as far as known? (A result in memory counts.)
  static bool writes(const llvm::CallBase &call);

  // Before the call: the newest of `newest` (of the call's arguments) and of what the call reads.
  // Nothing is looked at if `newest` is corrupt. What is only copied does not count.
  llvm::Value *read_id(Builder &builder, llvm::CallBase &call, llvm::Value *newest);

  // What the call writes has this id. Inserts right before the call and before `behind`, which is
  // reached after it returned.
  void define(llvm::CallBase &call, llvm::Instruction &behind, llvm::Value *id);

  // The call is left out if `is_left_out` (i1): what it would have written has this corrupt id
  // then, at least its first byte. The runtime is told how much it would have been, as far as that
  // can be known. ids: of the arguments; room: see Plan::rooms. The builder may be anywhere
  // before the call.
  void leave_out(Builder &builder, llvm::CallBase &call, llvm::ArrayRef<llvm::Value *> ids,
                 llvm::Value *is_left_out, llvm::Value *id, uint64_t room = kNoRoomKnown);

  // The argument whose id the result keeps (unless it is null).
  static std::optional<unsigned> returned_argument(const llvm::CallBase &call);
  // After the call: the result's id, made of that argument's and of a new one.
  static llvm::Value *result_id(Builder &builder, llvm::CallBase &call, llvm::Value *of_argument,
                                llvm::Value *fresh);

private:
  void tell_length(Builder &builder, llvm::CallBase &call, llvm::ArrayRef<llvm::Value *> ids,
                   llvm::Value *is_left_out, llvm::Value *id, uint64_t room);
  llvm::Value *text_length(Builder &builder, llvm::Value *text, llvm::Value *is_looked_at);
  llvm::Value *length_if_made(Builder &builder, llvm::CallBase &call, const LibraryAccess &write,
                              llvm::Value *is_looked_at);
  llvm::Value *printed_length(Builder &builder, llvm::CallBase &call, llvm::Value *is_looked_at);
  llvm::Value *length_of_text(Builder &builder, llvm::Value *address, llvm::Value *limit);
  llvm::Function *limited_text_length();

  llvm::Module &module_;
  Hooks &hooks_;
  LibraryCalls library_;
  llvm::GlobalVariable *nothing_; // CULPRIT_NOTHING_SYMBOL
  llvm::Function *limited_text_length_ = nullptr;
};

// Every call of unseen code, with one id for all and the newest id kept as a result: for tests.
class LibraryIdsPass : public llvm::PassInfoMixin<LibraryIdsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace culprit
