// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/assumptions.h"

#include "pass/hooks.h"
#include "pass/locate/lent.h"
#include "pass/locate/plan.h"

#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace culprit {

namespace {

// Of arguments and results.
llvm::AttributeMask value_attributes() {
  llvm::AttributeMask mask;
  for (const auto kind :
       {llvm::Attribute::NonNull, llvm::Attribute::NoUndef, llvm::Attribute::Dereferenceable,
        llvm::Attribute::DereferenceableOrNull, llvm::Attribute::NoAlias,
        llvm::Attribute::NoCapture, llvm::Attribute::ReadOnly, llvm::Attribute::ReadNone,
        llvm::Attribute::WriteOnly, llvm::Attribute::Range, llvm::Attribute::Writable,
        llvm::Attribute::DeadOnUnwind, llvm::Attribute::NoFPClass, llvm::Attribute::Initializes})
    mask.addAttribute(kind);
  return mask;
}

llvm::AttributeMask function_attributes() {
  llvm::AttributeMask mask;
  for (const auto kind :
       {llvm::Attribute::Memory, llvm::Attribute::Speculatable, llvm::Attribute::WillReturn,
        llvm::Attribute::MustProgress, llvm::Attribute::NoSync, llvm::Attribute::NoFree,
        llvm::Attribute::NoCallback, llvm::Attribute::NoRecurse, llvm::Attribute::OptimizeNone})
    mask.addAttribute(kind);
  return mask;
}

template <class Owner> void drop_value_attributes(Owner &owner, unsigned arguments) {
  static const llvm::AttributeMask kMask = value_attributes();
  owner.removeRetAttrs(kMask);
  for (unsigned i = 0; i < arguments; ++i)
    owner.removeParamAttrs(i, kMask);
}

bool is_allocation_or_free(const llvm::Function &function) {
  return !allocation_hook(function.getName()).empty() || is_free(function.getName());
}

bool only_assumes(const llvm::Instruction &instruction) {
  const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return intrinsic != nullptr && (intrinsic->isLifetimeStartOrEnd() ||
                                  intrinsic->getIntrinsicID() == llvm::Intrinsic::assume);
}

void drop_from(llvm::Instruction &instruction) {
  for (const unsigned kind :
       {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_tbaa_struct, llvm::LLVMContext::MD_range,
        llvm::LLVMContext::MD_nonnull, llvm::LLVMContext::MD_noundef, llvm::LLVMContext::MD_align,
        llvm::LLVMContext::MD_dereferenceable, llvm::LLVMContext::MD_dereferenceable_or_null,
        llvm::LLVMContext::MD_invariant_load, llvm::LLVMContext::MD_alias_scope,
        llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_invariant_group})
    instruction.setMetadata(kind, nullptr);
  if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    address->setNoWrapFlags(llvm::GEPNoWrapFlags::none());
  else if (auto *wraps = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&instruction)) {
    llvm::cast<llvm::Instruction>(wraps)->setHasNoSignedWrap(false);
    llvm::cast<llvm::Instruction>(wraps)->setHasNoUnsignedWrap(false);
  } else if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
             call != nullptr && !llvm::isa<llvm::IntrinsicInst>(call)) {
    note_references(*call);
    drop_value_attributes(*call, call->arg_size());
    static const llvm::AttributeMask kMask = function_attributes();
    call->removeFnAttrs(kMask);
  }
}

} // namespace

// Allocations and frees are the runtime's own: they write ids, and read what instrumented code has
// stored for them. Nothing that is known of libc's holds for them.
void forget_library(llvm::Function &function) {
  static const llvm::AttributeMask kMask = [] {
    llvm::AttributeMask mask = function_attributes();
    mask.addAttribute(llvm::Attribute::AllocKind);
    mask.addAttribute(llvm::Attribute::AllocSize);
    mask.addAttribute("alloc-family");
    return mask;
  }();
  function.removeFnAttrs(kMask);
  function.addFnAttr("no-builtins"); // or they would be inferred anew from the name
  for (llvm::User *user : function.users())
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(user)) {
      call->removeFnAttrs(kMask);
      call->removeFnAttr(llvm::Attribute::Builtin);
      call->addFnAttr(llvm::Attribute::NoBuiltin);
    }
}

void drop_assumptions(llvm::Module &module) {
  static const llvm::AttributeMask kMask = function_attributes();
  for (llvm::Function &function : module) {
    if (function.isIntrinsic())
      continue;
    drop_value_attributes(function, function.arg_size());
    if (!is_seen(function)) {
      if (is_allocation_or_free(function))
        forget_library(function);
      continue;
    }
    function.removeFnAttrs(kMask);
    function.addFnAttr(llvm::Attribute::NullPointerIsValid);
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      if (only_assumes(instruction))
        instruction.eraseFromParent();
      else
        drop_from(instruction);
    }
  }
}

} // namespace culprit
