// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/result_marks.h"

#include "pass/locate/changed_results.h"
#include "pass/locate/questions.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"

namespace culprit {

namespace {

constexpr llvm::StringLiteral kMarksResult = "culprit-marks-result";
constexpr unsigned kIdOfResult = 1;

llvm::CallBase *call_of(const llvm::Instruction &id) {
  const llvm::Value *said = &id;
  if (question_of(id) == Question::was_given)
    said = id.getOperand(0);
  const auto *element = llvm::dyn_cast<llvm::ExtractValueInst>(said);
  if (element == nullptr || element->getIndices() != llvm::ArrayRef(kIdOfResult))
    return nullptr;
  auto *call = llvm::dyn_cast<llvm::CallBase>(element->getAggregateOperand());
  return const_cast<llvm::CallBase *>(call);
}

bool may_be_read(llvm::Value *id) {
  llvm::SmallSetVector<llvm::Value *, 8> ids;
  ids.insert(id);
  for (size_t i = 0; i < ids.size(); ++i) {
    if (llvm::isa<llvm::LoadInst>(ids[i]) || question_of(*ids[i]) == Question::was_read)
      return true;
    if (auto *choice = llvm::dyn_cast<llvm::PHINode>(ids[i]))
      ids.insert(choice->op_begin(), choice->op_end());
  }
  return false;
}

llvm::SmallVector<llvm::ReturnInst *, 4> ends_of(llvm::Function &function) {
  llvm::SmallVector<llvm::ReturnInst *, 4> ends;
  for (llvm::BasicBlock &block : function)
    if (auto *end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
      ends.push_back(end);
  return ends;
}

} // namespace

llvm::Function *returned_by(const llvm::Instruction &id) {
  const llvm::CallBase *call = call_of(id);
  llvm::Function *callee = call != nullptr ? call->getCalledFunction() : nullptr;
  if (callee == nullptr || !can_change_result(*callee))
    return nullptr;
  const auto *result = llvm::cast<llvm::StructType>(callee->getReturnType());
  if (result->getNumElements() != kMarkOfResult || result->getElementType(0)->isAggregateType() ||
      !result->getElementType(kIdOfResult)->isIntegerTy(64))
    return nullptr;
  bool is_any_read = false;
  for (const llvm::ReturnInst *end : ends_of(*callee)) {
    llvm::Value *returned = element_returned(*end, kIdOfResult);
    if (returned == nullptr)
      return nullptr;
    is_any_read |= may_be_read(returned);
  }
  return is_any_read ? callee : nullptr;
}

void mark_result(llvm::Function &function) {
  llvm::LLVMContext &context = function.getContext();
  llvm::SmallVector<llvm::Type *, 3> elements(
      llvm::cast<llvm::StructType>(function.getReturnType())->elements());
  elements.push_back(llvm::Type::getInt1Ty(context));
  llvm::StructType &result = *llvm::StructType::get(context, elements);
  for (llvm::ReturnInst *end : ends_of(function)) {
    llvm::IRBuilder<> builder(end);
    change_end(*end, result, kMarkOfResult,
               *ask_is_corrupt(builder, element_returned(*end, kIdOfResult)));
  }
  change_result(function, result, [](llvm::ExtractValueInst &, llvm::CallBase &) {
  }).addFnAttr(kMarksResult);
}

llvm::CallBase *marked_call(const llvm::Instruction &id) {
  llvm::CallBase *call = call_of(id);
  const llvm::Function *callee = call != nullptr ? call->getCalledFunction() : nullptr;
  return callee != nullptr && callee->hasFnAttribute(kMarksResult) ? call : nullptr;
}

} // namespace culprit
