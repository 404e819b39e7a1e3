// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/changed_results.h"

#include "pass/locate/other_callee.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

namespace culprit {

namespace {

// There is a place behind it that only it leads to.
bool can_change(const llvm::CallBase &call) {
  if (llvm::isa<llvm::CallBrInst>(call) || call.isMustTailCall())
    return false;
  if (const auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(&call);
      invoke != nullptr && invoke->getNormalDest()->getSinglePredecessor() == nullptr)
    return false;
  return llvm::all_of(call.users(), [](const llvm::User *user) {
    const auto *element = llvm::dyn_cast<llvm::ExtractValueInst>(user);
    return element != nullptr && element->getNumIndices() == 1;
  });
}

bool can_be_taken_apart(const llvm::PHINode &choice) {
  return choice.getType()->isStructTy() &&
         llvm::all_of(choice.users(),
                      [](const llvm::User *user) {
                        const auto *element = llvm::dyn_cast<llvm::ExtractValueInst>(user);
                        return llvm::isa<llvm::ReturnInst>(user) ||
                               (element != nullptr && element->getNumIndices() == 1);
                      }) &&
         llvm::all_of(choice.incoming_values(), [](const llvm::Value *whole) {
           return llvm::isa<llvm::InsertValueInst, llvm::CallInst, llvm::Constant>(whole);
         });
}

// Right behind a call: it is the call's own, whatever way leads on.
llvm::Value *element_of(llvm::Value &whole, unsigned number) {
  if (llvm::Value *known = llvm::FindInsertedValue(&whole, number))
    return known;
  auto &instruction = llvm::cast<llvm::Instruction>(whole);
  llvm::IRBuilder<> builder(instruction.getNextNode());
  builder.SetCurrentDebugLocation(instruction.getDebugLoc());
  return builder.CreateExtractValue(&whole, number);
}

void take_apart(llvm::PHINode &choice) {
  llvm::SmallVector<llvm::PHINode *, 4> elements;
  for (unsigned i = 0; i < choice.getType()->getStructNumElements(); ++i) {
    auto *element = llvm::PHINode::Create(choice.getType()->getStructElementType(i),
                                          choice.getNumIncomingValues(), "");
    element->insertBefore(choice.getIterator());
    llvm::DenseMap<const llvm::Value *, llvm::Value *> known; // several edges from one block
    for (const auto &[whole, from] : llvm::zip_equal(choice.incoming_values(), choice.blocks())) {
      llvm::Value *&value = known[whole];
      if (value == nullptr)
        value = element_of(*whole, i);
      element->addIncoming(value, from);
    }
    elements.push_back(element);
  }
  for (llvm::User *user : llvm::make_early_inc_range(choice.users())) {
    if (auto *taken = llvm::dyn_cast<llvm::ExtractValueInst>(user)) {
      taken->replaceAllUsesWith(elements[taken->getIndices().front()]);
      taken->eraseFromParent();
      continue;
    }
    auto *end = llvm::cast<llvm::ReturnInst>(user);
    llvm::IRBuilder<> builder(end);
    llvm::Value *all = llvm::PoisonValue::get(choice.getType());
    for (const auto &[i, element] : llvm::enumerate(elements))
      all = builder.CreateInsertValue(all, element, static_cast<unsigned>(i));
    end->setOperand(0, all);
  }
  choice.eraseFromParent();
  for (llvm::PHINode *element : elements)
    if (element->use_empty())
      element->eraseFromParent();
}

} // namespace

bool can_change_result(const llvm::Function &function) {
  return llvm::isa<llvm::StructType>(function.getReturnType()) && function.hasLocalLinkage() &&
         !function.isDeclaration() && !function.isVarArg() && !function.isPresplitCoroutine() &&
         llvm::none_of(function,
                       [](const llvm::BasicBlock &block) {
                         return block.hasAddressTaken() ||
                                block.getTerminatingMustTailCall() != nullptr;
                       }) &&
         llvm::all_of(function.uses(), [](const llvm::Use &use) {
           const auto *call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
           return call != nullptr && call->isCallee(&use) && can_change(*call);
         });
}

void take_results_apart(llvm::Function &function) {
  llvm::SmallVector<llvm::PHINode *, 4> choices;
  for (llvm::BasicBlock &block : function)
    for (llvm::PHINode &choice : block.phis())
      if (can_be_taken_apart(choice))
        choices.push_back(&choice);
  for (llvm::PHINode *choice : choices)
    take_apart(*choice);
}

llvm::Value *element_returned(const llvm::ReturnInst &end, unsigned element) {
  return llvm::FindInsertedValue(end.getReturnValue(), element);
}

void change_end(llvm::ReturnInst &end, llvm::StructType &result, unsigned element,
                llvm::Value &value) {
  llvm::Value *old = end.getReturnValue();
  llvm::IRBuilder<> builder(&end);
  llvm::Value *all = llvm::PoisonValue::get(&result);
  for (unsigned i = 0; i < result.getNumElements(); ++i) {
    llvm::Value *part = i == element ? &value : element_returned(end, i);
    if (part == nullptr)
      part = builder.CreateExtractValue(old, i);
    all = builder.CreateInsertValue(all, part, i);
  }
  builder.CreateRet(all);
  end.eraseFromParent();
  llvm::RecursivelyDeleteTriviallyDeadInstructions(old);
}

llvm::BasicBlock::iterator behind_call(llvm::CallBase &call) {
  if (auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(&call))
    return invoke->getNormalDest()->getFirstInsertionPt();
  return std::next(call.getIterator());
}

llvm::Function &change_result(
    llvm::Function &function, llvm::StructType &result,
    llvm::function_ref<void(llvm::ExtractValueInst &element, llvm::CallBase &changed)> replace) {
  auto *old = llvm::cast<llvm::StructType>(function.getReturnType());
  llvm::Function *wide = &other_function(
      function, *llvm::FunctionType::get(&result, function.getFunctionType()->params(), false),
      function.getAttributes());
  for (const auto &[mine, other] : llvm::zip_equal(function.args(), wide->args())) {
    mine.replaceAllUsesWith(&other);
    other.takeName(&mine);
  }
  for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
    auto &call = llvm::cast<llvm::CallBase>(*user);
    const llvm::SmallVector<llvm::Value *, 8> arguments(call.args());
    llvm::CallBase &changed = call_other(call, *wide, arguments, call.getAttributes());
    for (llvm::User *taken : llvm::make_early_inc_range(call.users())) {
      auto &element = llvm::cast<llvm::ExtractValueInst>(*taken);
      const unsigned number = element.getIndices().front();
      if (old->getElementType(number) == result.getElementType(number)) {
        element.setOperand(0, &changed);
        continue;
      }
      replace(element, changed);
      element.eraseFromParent();
    }
    call.eraseFromParent();
  }
  function.eraseFromParent();
  return *wide;
}

} // namespace culprit
