// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/allocation_reach.h"

#include "pass/call_graph.h"
#include "pass/hooks.h"
#include "pass/library_calls.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"

namespace culprit {

namespace {

// Functions of libstdc++ that may enlarge a string, or return one (substr). What only asks a string
// may not.
bool may_make_string(const llvm::Function &function) {
  const llvm::StringRef name = function.getName();
  if (function.hasStructRetAttr())
    return name.starts_with("_Z");
  return name.contains("basic_string") && !name.starts_with("_ZNK");
}

} // namespace

bool AllocationReach::leaves_to_allocate(const llvm::CallBase &call) const {
  if (call.isInlineAsm() || llvm::isa<llvm::IntrinsicInst>(call))
    return false;
  if (const llvm::Function *library = called_library_function(call))
    return !allocation_hook(library->getName()).empty() ||
           ((!library_.is_known(*library) || may_make_string(*library)) &&
            !library->onlyReadsMemory());
  return called_here(call) == nullptr; // indirect
}

AllocationReach::AllocationReach(llvm::Module &module, LibraryCalls &library)
    : library_(library), reaching_(reaching(module, [this](const llvm::Instruction &instruction) {
        const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        return call != nullptr && leaves_to_allocate(*call);
      })) {}

bool AllocationReach::may_allocate(const llvm::CallBase &call) const {
  if (leaves_to_allocate(call))
    return true;
  const llvm::Function *callee = called_here(call);
  return callee != nullptr && reaching_.contains(callee);
}

bool is_allocation(const llvm::CallBase &call) {
  const llvm::Function *library = called_library_function(call);
  return library != nullptr && !allocation_hook(library->getName()).empty();
}

} // namespace culprit
