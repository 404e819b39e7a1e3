// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/free_reach.h"

#include "pass/call_graph.h"
#include "pass/hooks.h"
#include "pass/library_calls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"

namespace culprit {

namespace {

bool resizes(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("realloc", "reallocarray", "getline", "getdelim", "__getdelim", true)
      .Cases("fclose", "freopen", "munmap", "longjmp", "_longjmp", "siglongjmp", true)
      .Default(false);
}

bool takes_function(const llvm::CallBase &call) {
  for (const llvm::Value *argument : call.args())
    if (argument->getType()->isPointerTy() &&
        llvm::isa<llvm::Function>(argument->stripPointerCasts()))
      return true;
  return false;
}

// A block that the same call of the function has allocated.
bool is_own(const llvm::Value *block) {
  if (llvm::isa<llvm::ConstantPointerNull>(block))
    return true;
  const auto *call = llvm::dyn_cast<llvm::CallBase>(block);
  const llvm::Function *library = call != nullptr ? called_library_function(*call) : nullptr;
  return library != nullptr && !allocation_hook(library->getName()).empty() &&
         !resizes(library->getName());
}

bool frees_own(const llvm::CallBase &call) {
  const llvm::Function *library = called_library_function(call);
  if (library == nullptr || !is_free(library->getName()) || call.arg_empty())
    return false;
  llvm::SmallVector<const llvm::Value *> blocks;
  llvm::getUnderlyingObjects(call.getArgOperand(0), blocks);
  return llvm::all_of(blocks, is_own);
}

} // namespace

bool FreeReach::leaves_to_free(const llvm::CallBase &call) const {
  if (call.isInlineAsm() || llvm::isa<llvm::IntrinsicInst>(call))
    return false;
  const llvm::Function *library = called_library_function(call);
  if (library == nullptr)
    return called_here(call) == nullptr; // indirect
  const llvm::StringRef name = library->getName();
  if (is_free(name) || resizes(name))
    return true;
  if (!allocation_hook(name).empty() || call.onlyReadsMemory())
    return false;
  if (!library_.is_known(*library))
    return true;
  return (name.starts_with("_Z") && !name.starts_with("_ZNK")) || takes_function(call);
}

FreeReach::FreeReach(const llvm::Module &module, LibraryCalls &library)
    : library_(library), reaching_(reaching(module, [this](const llvm::Instruction &instruction) {
        const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        return call != nullptr && leaves_to_free(*call) && !frees_own(*call);
      })) {}

bool FreeReach::may_free(const llvm::Instruction &instruction) const {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (call == nullptr)
    return false;
  if (leaves_to_free(*call))
    return true;
  const llvm::Function *callee = called_here(*call);
  return callee != nullptr && reaching_.contains(callee);
}

} // namespace culprit
