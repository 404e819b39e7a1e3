// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/questions.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <string>

namespace culprit {

namespace {

constexpr llvm::StringLiteral kIsCorrupt = "culprit.is_corrupt";
constexpr llvm::StringLiteral kMarkOf = "culprit.mark_of";
constexpr llvm::StringLiteral kIdIfStained = "culprit.id_if_stained.";
constexpr llvm::StringLiteral kWasRead = "culprit.was_read";
constexpr llvm::StringLiteral kWasGiven = "culprit.was_given";

void may_be_moved(llvm::Function &function) {
  function.setDoesNotThrow();
  function.setWillReturn();
  function.setNoSync();
  function.setDoesNotFreeMemory();
  function.addFnAttr(llvm::Attribute::NoCallback);
}

llvm::Value *ask(llvm::IRBuilder<> &builder, llvm::StringRef name, llvm::Type *result,
                 llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::Module &module = *builder.GetInsertBlock()->getModule();
  llvm::Function *function = module.getFunction(name);
  if (function == nullptr) {
    llvm::SmallVector<llvm::Type *, 4> types;
    for (const llvm::Value *argument : arguments)
      types.push_back(argument->getType());
    function = llvm::Function::Create(llvm::FunctionType::get(result, types, false),
                                      llvm::GlobalValue::ExternalLinkage, name, module);
    may_be_moved(*function);
    function->setDoesNotAccessMemory();
    function->setSpeculatable();
  }
  return builder.CreateCall(function, arguments);
}

} // namespace

Question question_of(const llvm::Value &value) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&value);
  const llvm::Function *callee = call != nullptr ? call->getCalledFunction() : nullptr;
  if (callee == nullptr || !callee->getName().starts_with("culprit."))
    return Question::none;
  if (callee->getName().starts_with(kIdIfStained))
    return Question::id_if_stained;
  return llvm::StringSwitch<Question>(callee->getName())
      .Case(kIsCorrupt, Question::is_corrupt)
      .Case(kMarkOf, Question::mark_of)
      .Case(kWasRead, Question::was_read)
      .Case(kWasGiven, Question::was_given)
      .Default(Question::none);
}

llvm::Value *ask_is_corrupt(llvm::IRBuilder<> &builder, llvm::Value *id) {
  return ask(builder, kIsCorrupt, builder.getInt1Ty(), {id});
}

llvm::Value *ask_mark_of(llvm::IRBuilder<> &builder, llvm::Value *id) {
  return ask(builder, kMarkOf, builder.getInt64Ty(), {id});
}

llvm::Value *say_was_read(llvm::IRBuilder<> &builder, llvm::Value *id, llvm::Value *address,
                          uint64_t size) {
  return ask(builder, kWasRead, builder.getInt64Ty(), {id, address, builder.getInt64(size)});
}

llvm::Value *say_was_given(llvm::IRBuilder<> &builder, llvm::Value *id) {
  return ask(builder, kWasGiven, builder.getInt64Ty(), {id});
}

llvm::Function *id_if_stained(llvm::Module &module, uint64_t size, llvm::Align alignment) {
  const std::string name =
      (kIdIfStained + llvm::Twine(size) + "." + llvm::Twine(alignment.value())).str();
  if (llvm::Function *known = module.getFunction(name))
    return known;
  llvm::LLVMContext &context = module.getContext();
  auto *function =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getInt64Ty(context),
                                                     {llvm::PointerType::get(context, 0)}, false),
                             llvm::GlobalValue::LinkOnceODRLinkage, name, module);
  // Of a function that nobody else can call the optimiser would drop an argument that is always the
  // same, and the question would have lost what it asks for.
  function->setVisibility(llvm::GlobalValue::HiddenVisibility);
  may_be_moved(*function);
  function->addFnAttr(llvm::Attribute::NoInline);
  function->setMemoryEffects(llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::Ref) |
                             llvm::MemoryEffects::inaccessibleMemOnly(llvm::ModRefInfo::Ref));
  return function;
}

uint64_t size_of_access(const llvm::CallBase &question) {
  if (question_of(question) == Question::was_read)
    return llvm::cast<llvm::ConstantInt>(question.getArgOperand(2))->getZExtValue();
  uint64_t size = 0;
  question.getCalledFunction()
      ->getName()
      .drop_front(kIdIfStained.size())
      .split('.')
      .first.getAsInteger(10, size);
  return size;
}

} // namespace culprit
