// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/wrappers.h"

#include "pass/hooks.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

namespace culprit {

namespace {

constexpr llvm::StringLiteral kNotes = "culprit.wrappers";

llvm::StringRef source_name(const llvm::Function &function) {
  const llvm::DISubprogram *subprogram = function.getSubprogram();
  if (subprogram == nullptr)
    return function.getName();
  return subprogram->getLinkageName().empty() ? subprogram->getName()
                                              : subprogram->getLinkageName();
}

// What becomes of a call's result, with locals still in memory as the front end has them.
class Flow {
public:
  // Is it returned, and nothing written through it?
  bool is_handed_out(llvm::CallBase &call) {
    follow(&call);
    while (!work_.empty() && !is_used_) {
      llvm::Value *value = work_.back();
      work_.pop_back();
      for (llvm::User *user : value->users())
        look_at(*user, *value);
    }
    return is_returned_ && !is_used_;
  }

private:
  void follow(llvm::Value *value) {
    if (seen_.insert(value).second)
      work_.push_back(value);
  }

  void look_at(llvm::User &user, llvm::Value &value) {
    if (llvm::isa<llvm::ReturnInst>(user)) {
      is_returned_ = true;
    } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&user)) {
      if (store->getValueOperand() != &value) {
        is_used_ = true;
        return;
      }
      auto *local = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
      if (local == nullptr)
        return; // remembered elsewhere: not a use of the block
      for (llvm::User *reader : local->users())
        if (llvm::isa<llvm::LoadInst>(reader))
          follow(reader);
    } else if (llvm::isa<llvm::PHINode>(user) || llvm::isa<llvm::SelectInst>(user) ||
               llvm::isa<llvm::CastInst>(user) || llvm::isa<llvm::GetElementPtrInst>(user)) {
      if (user.getType()->isPointerTy())
        follow(&user);
    } else if (auto *call = llvm::dyn_cast<llvm::CallBase>(&user)) {
      look_at_call(*call);
    }
  }

  // Clearing it and giving it back are no uses; anything else may fill it.
  void look_at_call(const llvm::CallBase &call) {
    if (llvm::isa<llvm::MemSetInst>(call) || llvm::isa<llvm::DbgInfoIntrinsic>(call))
      return;
    const llvm::Function *library = called_library_function(call);
    if (library != nullptr && (library->getName() == "memset" || is_free(library->getName()) ||
                               !allocation_hook(library->getName()).empty()))
      return;
    is_used_ = true;
  }

  llvm::DenseSet<llvm::Value *> seen_;
  std::vector<llvm::Value *> work_;
  bool is_returned_ = false;
  bool is_used_ = false;
};

} // namespace

void note_wrapper_candidates(llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || !function.getReturnType()->isPointerTy())
      continue;
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block) {
        auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (call == nullptr || !call->getType()->isPointerTy() || call->isInlineAsm() ||
            llvm::isa<llvm::IntrinsicInst>(call) || !Flow().is_handed_out(*call))
          continue;
        const auto *callee =
            llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts());
        module.getOrInsertNamedMetadata(kNotes)->addOperand(llvm::MDNode::get(
            context, {llvm::MDString::get(context, source_name(function)),
                      llvm::MDString::get(context, callee ? source_name(*callee) : "")}));
      }
  }
}

Wrappers::Wrappers(llvm::Module &module) {
  llvm::NamedMDNode *notes = module.getNamedMetadata(kNotes);
  if (notes == nullptr)
    return;
  for (const llvm::MDNode *note : notes->operands())
    callees_[llvm::cast<llvm::MDString>(note->getOperand(0))->getString()].insert(
        llvm::cast<llvm::MDString>(note->getOperand(1))->getString());
  notes->eraseFromParent();
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto &candidate : callees_)
      for (const auto &callee : candidate.second)
        if (is_source(callee.first()) && wrappers_.insert(candidate.first()).second)
          grows = true;
  }
}

// An indirect call in a function that only hands out its result: a table of allocators.
bool Wrappers::is_source(llvm::StringRef callee) const {
  return callee.empty() || !allocation_hook(callee).empty() || wrappers_.contains(callee);
}

bool Wrappers::hands_out(llvm::StringRef function, llvm::StringRef callee) const {
  if (!wrappers_.contains(function) || !is_source(callee))
    return false;
  const auto found = callees_.find(function);
  return found != callees_.end() && found->second.contains(callee);
}

} // namespace culprit
