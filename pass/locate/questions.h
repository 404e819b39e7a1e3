// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What code of the suppress flavour asks about ids, while it is optimised: calls of functions that
// nobody but the optimiser sees. clean_copies.h answers them, in each of a function's two copies in
// another way, and none is left afterwards.
//
// Rules: an id is an i64 of abi/locate.h. Whether one is corrupt is asked by these alone where code
// is to have a clean copy. What an id comes from (memory, a caller, a call) is said by these, or it
// is asked itself.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace culprit {

enum class Question {
  none,
  is_corrupt,    // i1 (id)
  mark_of,       // id (id): CULPRIT_ID_CORRUPT if it is corrupt, else 0
  id_if_stained, // id (address): of so many bytes; 0 where nothing is stained
  was_read,      // id (id, address, bytes): that id, which stands there
  was_given      // id (id): that id, of which nothing is known
};

Question question_of(const llvm::Value &value);

llvm::Value *ask_is_corrupt(llvm::IRBuilder<> &builder, llvm::Value *id);
llvm::Value *ask_mark_of(llvm::IRBuilder<> &builder, llvm::Value *id);
llvm::Value *say_was_read(llvm::IRBuilder<> &builder, llvm::Value *id, llvm::Value *address,
                          uint64_t size);
llvm::Value *say_was_given(llvm::IRBuilder<> &builder, llvm::Value *id);

// The function of Question::id_if_stained for accesses like this. Its body is the caller's to make
// if it has none.
llvm::Function *id_if_stained(llvm::Module &module, uint64_t size, llvm::Align alignment);
uint64_t size_of_access(const llvm::CallBase &question); // id_if_stained, was_read

} // namespace culprit
