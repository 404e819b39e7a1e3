// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/wrappers.h"

#include "pass/hooks.h"
#include "pass/sites.h"
#include "pass/source_place.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

namespace culprit {

namespace {

constexpr llvm::StringLiteral kNotes = "culprit.wrappers";

// What becomes of a call's result, with locals still in memory as the front end has them.
class Flow {
public:
  // Is it returned, and nothing written through it?
  bool is_handed_out(llvm::CallBase &call) {
    if (call.getType()->isPointerTy())
      follow(&call);
    for (llvm::Value *argument : call.args()) // f(&p)
      if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(argument);
          local != nullptr && local->getAllocatedType()->isPointerTy())
        follow_readers(*local);
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

  void follow_readers(llvm::AllocaInst &local) {
    for (llvm::User *reader : local.users())
      if (llvm::isa<llvm::LoadInst>(reader))
        follow(reader);
  }

  // A parameter, or the local a front end keeps it in.
  static bool is_parameter(const llvm::Value *value) {
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(value);
    const auto *local =
        load == nullptr ? nullptr : llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand());
    return llvm::isa<llvm::Argument>(value) ||
           (local != nullptr && llvm::any_of(local->users(), [](const llvm::User *user) {
              const auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
              return store != nullptr && llvm::isa<llvm::Argument>(store->getValueOperand());
            }));
  }

  void look_at(llvm::User &user, llvm::Value &value) {
    if (llvm::isa<llvm::ReturnInst>(user)) {
      is_returned_ = true;
    } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&user)) {
      if (store->getValueOperand() != &value) {
        is_used_ = true;
        return;
      }
      if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand()))
        follow_readers(*local);
      else if (is_parameter(store->getPointerOperand()))
        is_returned_ = true; // *result = block
      // else remembered elsewhere: not a use of the block
    } else if (llvm::isa<llvm::PHINode>(user) || llvm::isa<llvm::SelectInst>(user) ||
               llvm::isa<llvm::CastInst>(user) || llvm::isa<llvm::GetElementPtrInst>(user)) {
      if (user.getType()->isPointerTy())
        follow(&user);
    } else if (auto *call = llvm::dyn_cast<llvm::CallBase>(&user)) {
      look_at_call(*call);
    }
  }

  // A function asked for a number about the block, which is then used as one (how large it is). A
  // number that is only compared may say whether the block was filled.
  static bool is_question(const llvm::CallBase &call) {
    if (call.arg_size() != 1 || !call.getType()->isIntegerTy())
      return false;
    std::vector<const llvm::Value *> work{&call};
    llvm::DenseSet<const llvm::Value *> seen;
    while (!work.empty()) {
      const llvm::Value *value = work.back();
      work.pop_back();
      if (!seen.insert(value).second)
        continue;
      for (const llvm::User *user : value->users()) {
        if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user)) {
          if (store->getValueOperand() != value)
            continue;
          for (const llvm::User *reader : store->getPointerOperand()->users())
            if (llvm::isa<llvm::LoadInst>(reader))
              work.push_back(reader);
        } else if (llvm::isa<llvm::CastInst>(user)) {
          work.push_back(user);
        } else if (!llvm::isa<llvm::CmpInst>(user)) {
          return true;
        }
      }
    }
    return false;
  }

  // Clearing it, asking about it and giving it back are no uses; anything else may fill it.
  void look_at_call(const llvm::CallBase &call) {
    if (llvm::isa<llvm::MemSetInst>(call) || llvm::isa<llvm::DbgInfoIntrinsic>(call) ||
        is_question(call))
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
    if (function.isDeclaration())
      continue;
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block) {
        auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (call == nullptr || call->isInlineAsm() || llvm::isa<llvm::IntrinsicInst>(call) ||
            !Flow().is_handed_out(*call))
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
