// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/lent.h"

#include "pass/locate/rewriter.h"

#include "abi/locate.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Instructions.h"

#include <cstdlib>
#include <memory>
#include <string>

namespace culprit {

namespace {

constexpr llvm::StringRef kRefersTo = "culprit-refers-to";

const llvm::AllocaInst *variable_at(const llvm::Value *address, const llvm::DataLayout &layout,
                                    uint64_t &rest) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  const auto *local = llvm::dyn_cast<llvm::AllocaInst>(
      address->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true));
  const auto size =
      local != nullptr && local->isStaticAlloca() ? local->getAllocationSize(layout) : std::nullopt;
  if (!size || size->isScalable() || !offset.ult(size->getFixedValue()))
    return nullptr;
  rest = size->getFixedValue() - offset.getZExtValue();
  return local;
}

// A member function of the C++ library that is const by its name does not write its object, nor
// what it takes by reference to const: strings are compared in every search of a map of them.
bool is_const_of_library(const llvm::CallBase &call, unsigned argument) {
  const auto *callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand());
  if (callee == nullptr || !callee->getName().starts_with("_ZNKSt"))
    return false;
  const unsigned object = call.hasStructRetAttr() ? 1 : 0;
  if (argument <= object)
    return argument == object;
  const std::string mangled = callee->getName().str(); // which the other refers to
  llvm::ItaniumPartialDemangler name;
  if (name.partialDemangle(mangled.c_str()))
    return false;
  size_t length = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      name.getFunctionParameters(nullptr, &length), std::free);
  // Of several it is not known which begins where: a struct by value may be two arguments.
  return text != nullptr && call.arg_size() == object + 2 &&
         llvm::StringRef(text.get()).ends_with(" const&)");
}

} // namespace

void note_references(llvm::CallBase &call) {
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (const uint64_t bytes = call.getParamDereferenceableBytes(i); bytes != 0)
      call.addParamAttr(i,
                        llvm::Attribute::get(call.getContext(), kRefersTo, std::to_string(bytes)));
}

uint64_t size_referred(const llvm::CallBase &call, unsigned argument) {
  uint64_t size = 0;
  const llvm::Attribute noted = call.getParamAttr(argument, kRefersTo);
  return noted.isValid() && !noted.getValueAsString().getAsInteger(10, size) ? size : 0;
}

uint64_t size_lent(const llvm::CallBase &call, unsigned argument, const llvm::DataLayout &layout) {
  const llvm::Value *address = call.getArgOperand(argument);
  if (!address->getType()->isPointerTy() || llvm::isa<llvm::Constant>(address) ||
      call.onlyReadsMemory(argument) || is_const_of_library(call, argument) ||
      call.isByValArgument(argument) || call.paramHasAttr(argument, llvm::Attribute::StructRet))
    return 0;
  uint64_t size = 0;
  if (variable_at(address, layout, size) == nullptr)
    size = size_referred(call, argument);
  return size <= CULPRIT_LENT_BYTES ? size : 0;
}

bool lends(const llvm::CallBase &call, const llvm::DataLayout &layout) {
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (size_lent(call, i, layout) != 0)
      return true;
  return false;
}

llvm::SmallVector<FunctionRewriter::Lent, 2> FunctionRewriter::lend(Builder &builder,
                                                                    llvm::CallBase &call) {
  llvm::SmallVector<Lent, 2> lent;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const uint64_t size = size_lent(call, i, layout_);
    if (size == 0)
      continue;
    // Nothing of a call is needed any more when the next is made.
    if (copies_.size() == lent.size()) {
      Builder entry(&function_.getEntryBlock(), function_.getEntryBlock().begin());
      copies_.push_back(
          entry.CreateAlloca(llvm::ArrayType::get(entry.getInt8Ty(), CULPRIT_LENT_BYTES)));
    }
    llvm::AllocaInst *copy = copies_[lent.size()];
    llvm::Value *address = call.getArgOperand(i);
    lent.push_back({address,
                    code_.hooks().call(builder, Hooks::lend, {address, code_.number(size), copy}),
                    copy});
  }
  return lent;
}

void FunctionRewriter::take_back(Builder &builder, llvm::ArrayRef<Lent> lent, llvm::Value *id) {
  for (const Lent &each : lent)
    code_.hooks().call(builder, Hooks::take_back, {each.address, each.size, each.copy, id});
}

void FunctionRewriter::keep_back(Builder &builder, llvm::CallBase &call, llvm::Value *id) {
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const uint64_t size = size_lent(call, i, layout_);
    if (size == 0)
      continue;
    llvm::Value *address = call.getArgOperand(i);
    llvm::Value *is_bad = code_.is_corrupt(builder, id_of(address));
    code_.hooks().call(
        builder, Hooks::keep_back,
        {builder.CreateSelect(is_bad, code_.nothing(), address), code_.number(size), id});
  }
}

} // namespace culprit
