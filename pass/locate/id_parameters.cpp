// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/id_parameters.h"

#include "abi/locate.h"
#include "pass/locate/other_callee.h"
#include "pass/locate/plan.h"
#include "pass/locate/records.h"
#include "pass/locate/slots.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

#include <map>
#include <optional>

namespace culprit {

namespace {

bool makes_tail_call(const llvm::Function &function) {
  return llvm::any_of(function, [](const llvm::BasicBlock &block) {
    return block.getTerminatingMustTailCall() != nullptr;
  });
}

// The number of the argument slot at this address.
std::optional<unsigned> slot_at(const llvm::Value *address, const llvm::DataLayout &layout) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  const llvm::Value *base =
      address->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  if (!base->hasName() || base->getName() != CULPRIT_ARGUMENT_IDS_SYMBOL)
    return std::nullopt;
  return static_cast<unsigned>(offset.getZExtValue() / sizeof(uint64_t));
}

llvm::AttributeList widened(const llvm::AttributeList &old, unsigned arguments, bool has_result,
                            llvm::LLVMContext &context) {
  llvm::SmallVector<llvm::AttributeSet, 8> parameters;
  for (unsigned i = 0; i < arguments; ++i)
    parameters.push_back(old.getParamAttrs(i));
  return llvm::AttributeList::get(
      context, old.getFnAttrs(), has_result ? llvm::AttributeSet() : old.getRetAttrs(), parameters);
}

} // namespace

bool passes_ids_in_registers(const llvm::Function &function) {
  // What was inserted has no ids.
  return is_seen(function) && !function.getName().starts_with("culprit.") &&
         is_called_by_name_only(function) && !function.isVarArg() &&
         !function.isPresplitCoroutine() && !makes_tail_call(function) &&
         llvm::none_of(function,
                       [](const llvm::BasicBlock &block) { return block.hasAddressTaken(); }) &&
         llvm::all_of(function.users(), [](const llvm::User *user) {
           const auto *call = llvm::dyn_cast<llvm::CallBase>(user);
           return call != nullptr && !llvm::isa<llvm::CallBrInst>(call) && !call->isMustTailCall();
         });
}

void IdParameters::note_argument(llvm::CallBase &call, unsigned number, llvm::StoreInst &store) {
  Call &noted = calls_[&call];
  if (noted.arguments.size() <= number)
    noted.arguments.resize(number + 1, nullptr);
  noted.arguments[number] = &store;
}

void IdParameters::note_result(llvm::CallBase &call, llvm::LoadInst &load) {
  calls_[&call].results.push_back(&load);
}

void IdParameters::note_return(llvm::ReturnInst &result, llvm::StoreInst &store) {
  returns_[&result].push_back(&store);
}

void IdParameters::make(llvm::Module &module) {
  llvm::SmallVector<llvm::Function *, 0> functions;
  for (llvm::Function &function : module)
    if (passes_ids_in_registers(function))
      functions.push_back(&function);
  for (llvm::Function *function : functions)
    widen(*function);
  // What is known about the others' slots is of no further use.
  calls_.clear();
  returns_.clear();
}

void IdParameters::widen(llvm::Function &function) {
  llvm::LLVMContext &context = function.getContext();
  llvm::Type *id_type = llvm::Type::getInt64Ty(context);
  const llvm::DataLayout &layout = function.getParent()->getDataLayout();
  // Whoever reads a slot in here reads its own.
  std::map<unsigned, llvm::SmallVector<llvm::LoadInst *, 2>> loads;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      if (const auto slot = slot_at(load->getPointerOperand(), layout))
        loads[*slot].push_back(load);
  const bool has_result = !function.getReturnType()->isVoidTy();
  if (loads.empty() && !has_result)
    return;

  llvm::SmallVector<llvm::Type *, 8> types(function.getFunctionType()->params());
  llvm::SmallVector<unsigned, 8> slots;
  for (const auto &[slot, of_slot] : loads) {
    slots.push_back(slot);
    types.push_back(id_type);
  }
  llvm::Type *result = function.getReturnType();
  if (has_result) {
    llvm::SmallVector<llvm::Type *, 8> results{result};
    results.append(count_ids_of_result(function), id_type);
    result = llvm::StructType::get(context, results);
  }
  llvm::Function *wide =
      &other_function(function, *llvm::FunctionType::get(result, types, false),
                      widened(function.getAttributes(), static_cast<unsigned>(function.arg_size()),
                              has_result, context));
  wide->removeFnAttr(kRecordResult);
  for (unsigned i = 0; i < function.arg_size(); ++i) {
    function.getArg(i)->replaceAllUsesWith(wide->getArg(i));
    wide->getArg(i)->takeName(function.getArg(i));
  }
  for (unsigned i = 0; i < slots.size(); ++i) {
    llvm::Value *id = wide->getArg(static_cast<unsigned>(function.arg_size()) + i);
    for (llvm::LoadInst *load : loads[slots[i]]) {
      llvm::Value *as_loaded = id;
      if (load->getType() != id_type)
        as_loaded = llvm::IRBuilder<>(load).CreateIntToPtr(id, load->getType());
      load->replaceAllUsesWith(as_loaded);
      load->eraseFromParent();
    }
  }
  if (has_result)
    for (llvm::BasicBlock &block : *wide) {
      auto *end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
      if (end == nullptr)
        continue;
      llvm::IRBuilder<> builder(end);
      llvm::Value *all = llvm::PoisonValue::get(result);
      all = builder.CreateInsertValue(all, end->getReturnValue(), 0);
      const auto noted = returns_.lookup(end);
      for (unsigned i = 0; i < count_ids_of_result(function); ++i) {
        llvm::StoreInst *store = i < noted.size() ? noted[i] : nullptr;
        llvm::Value *id = store != nullptr ? store->getValueOperand() : builder.getInt64(0);
        all = builder.CreateInsertValue(all, id, i + 1);
        if (store != nullptr)
          store->eraseFromParent();
      }
      returns_.erase(end);
      builder.CreateRet(all);
      end->eraseFromParent();
    }
  for (llvm::User *user : llvm::make_early_inc_range(function.users()))
    widen_call(*llvm::cast<llvm::CallBase>(user), *wide, slots, has_result);
  function.eraseFromParent();
}

void IdParameters::widen_call(llvm::CallBase &call, llvm::Function &callee,
                              llvm::ArrayRef<unsigned> slots, bool has_result) {
  const Call noted = calls_.lookup(&call);
  calls_.erase(&call);
  llvm::IRBuilder<> builder(&call);
  llvm::SmallVector<llvm::Value *, 8> arguments(call.args());
  for (const unsigned slot : slots) {
    llvm::StoreInst *store = slot < noted.arguments.size() ? noted.arguments[slot] : nullptr;
    arguments.push_back(store != nullptr ? store->getValueOperand() : builder.getInt64(0));
  }
  for (llvm::StoreInst *store : noted.arguments)
    if (store != nullptr)
      store->eraseFromParent();
  llvm::CallBase *wide =
      &call_other(call, callee, arguments,
                  widened(call.getAttributes(), call.arg_size(), has_result, call.getContext()));
  if (has_result) {
    // The way on from an invoke is its own (FunctionRewriter::behind).
    if (const auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(wide))
      builder.SetInsertPoint(invoke->getNormalDest(),
                             invoke->getNormalDest()->getFirstInsertionPt());
    else
      builder.SetInsertPoint(std::next(wide->getIterator()));
    if (!call.use_empty())
      call.replaceAllUsesWith(builder.CreateExtractValue(wide, 0));
    for (unsigned i = 0; i < noted.results.size(); ++i)
      noted.results[i]->replaceAllUsesWith(builder.CreateExtractValue(wide, i + 1));
    for (llvm::LoadInst *load : noted.results)
      load->eraseFromParent();
  } else if (!call.use_empty()) {
    call.replaceAllUsesWith(wide);
  }
  call.eraseFromParent();
}

} // namespace culprit
