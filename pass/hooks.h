// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime's side as the pass sees it: declarations of the hooks (abi/hooks.def), the two
// thread-local variables, and which library functions allocate or free.
//
// Sparing hooks keep all registers, vectors too: a call that hardly ever happens must not make hot
// code spill. But they know of 16 bytes of a vector register only, so a module with wider ones
// expects them to keep no vectors (preserve_most).
//
// Thread-local variables are declared initial-exec: the executable always defines them, also for
// shared objects that are loaded later.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class CallBase;
class Module;
} // namespace llvm

namespace culprit {

// The hook that takes the place of a library's allocation function; empty: not such a function.
llvm::StringRef allocation_hook(llvm::StringRef function);

// free, operator delete and their variants: the block is the first argument.
bool is_free(llvm::StringRef function);

// The function called directly, if it is defined elsewhere; nullptr: indirect, defined here, an
// intrinsic or assembler.
llvm::Function *called_library_function(const llvm::CallBase &call);

// A thread-local variable that the runtime defines.
llvm::GlobalVariable &runtime_thread_local(llvm::Module &module, llvm::StringRef name,
                                           llvm::Type *type);

class Hooks {
public:
  enum Hook {
#define HOOK(name, ...) name,
#define ALLOCATOR(...)
#include "abi/hooks.def"
#undef HOOK
#undef ALLOCATOR
  };

  explicit Hooks(llvm::Module &module);

  llvm::CallInst *call(llvm::IRBuilder<> &builder, Hook hook,
                       llvm::ArrayRef<llvm::Value *> arguments);
  // Makes `call`, a call of an allocation function, call its hook instead. `is_lone`: see
  // lone_structs.h.
  void replace_allocation(llvm::CallBase &call, bool is_lone);

  // qsort or qsort_r, with the types they have: locate's sort can be called instead.
  static bool is_sort(const llvm::CallBase &call);
  void replace_sort(llvm::CallBase &call);

  llvm::GlobalVariable *countdown();
  llvm::GlobalVariable *context();

  // Sanitizers of the user's must not look at accesses of ours.
  template <class Instruction> static Instruction *unsanitized(Instruction *instruction) {
    instruction->setNoSanitizeMetadata();
    return instruction;
  }

private:
  llvm::Module &module_;
  unsigned sparing_; // calling convention
};

} // namespace culprit
