// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/library_calls.h"

#include "pass/hooks.h"
#include "pass/writes.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace culprit {

namespace {

constexpr uint64_t kAll = ~0ULL;

template <class... Numbers> constexpr uint64_t arguments(Numbers... numbers) {
  return (0ULL | ... | (1ULL << numbers));
}

const llvm::StringMap<LibraryEffect> &table() {
  static const llvm::StringMap<LibraryEffect> rows = {
#define QUIET(name) {#name, {}},
#define WRITES(name, ...) {#name, {.written = arguments(__VA_ARGS__)}},
#define WRITES_ALL(name) {#name, {.written = kAll}},
#define RANGE(name, address, length) {#name, {.range_address = address, .range_length = length}},
#define KEEPS(name, ...) {#name, {.kept = arguments(__VA_ARGS__)}},
#include "pass/library_functions.def"
#undef QUIET
#undef WRITES
#undef WRITES_ALL
#undef RANGE
#undef KEEPS
  };
  return rows;
}

// __memcpy_chk is memcpy, __isoc99_sscanf is sscanf.
llvm::StringRef plain_name(llvm::StringRef name) {
  if (name.consume_front("__isoc99_") || name.consume_front("__isoc23_"))
    return name;
  llvm::StringRef inner = name;
  return inner.consume_front("__") && inner.consume_back("_chk") ? inner : name;
}

bool is_of_cxx_library(llvm::StringRef name) {
  for (const llvm::StringRef prefix :
       {"_ZNSt", "_ZNKSt", "_ZSt", "_ZNSo", "_ZNSi", "_ZNSd", "_ZNSs", "_ZNSa", "_ZNKSo", "_ZNKSi",
        "_ZNKSs", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx", "_ZdlPv", "_ZdaPv"})
    if (name.starts_with(prefix))
      return true;
  return false;
}

LibraryEffect effect_in_cxx_library(llvm::StringRef name) {
  if (name.starts_with("_ZNK") || name.starts_with("_ZdlPv") || name.starts_with("_ZdaPv") ||
      name.contains("__throw_"))
    return {};
  const bool is_stream = name.contains("stream") || name.contains("buf") || name.contains("ios");
  const bool makes = name.contains("C1E") || name.contains("C2E") || name.contains("4init");
  if (is_stream && makes && name.starts_with("_ZNSt"))
    return {.kept = 1};
  return {.written = kAll};
}

// Where code that runs after a call has to go; nullptr: nowhere (a tail call that must stay one).
llvm::Instruction *place_after(llvm::CallBase &call) {
  if (auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) {
    llvm::BasicBlock *normal = invoke->getNormalDest();
    if (normal->getSinglePredecessor() == nullptr)
      normal = llvm::SplitEdge(invoke->getParent(), normal);
    return &*normal->getFirstInsertionPt();
  }
  if (call.isMustTailCall() || call.isTerminator())
    return nullptr;
  return call.getNextNode();
}

} // namespace

LibraryCalls::LibraryCalls(const llvm::Module &module)
    : library_implementation_(llvm::Triple(module.getTargetTriple())),
      library_(library_implementation_) {}

LibraryCalls::Known LibraryCalls::find(const llvm::Function &function) const {
  const llvm::StringRef name = plain_name(function.getName());
  if (const auto row = table().find(name); row != table().end())
    return {true, row->second};
  if (!allocation_hook(name).empty())
    return {true, {}};
  if (is_of_cxx_library(name))
    return {true, effect_in_cxx_library(name)};
  llvm::LibFunc known{};
  if (library_.getLibFunc(function, known))
    return {true, {.written = kAll}};
  return {false, {.kept = kAll}};
}

const LibraryCalls::Known &LibraryCalls::look_up(const llvm::Function &function) {
  const auto found = cache_.find(&function);
  if (found != cache_.end())
    return found->second;
  return cache_.try_emplace(&function, find(function)).first->second;
}

bool LibraryCalls::is_known(const llvm::Function &function) { return look_up(function).is_known; }

void LibraryCalls::insert_marks(llvm::CallBase &call, Hooks &hooks) {
  LibraryEffect effect;
  if (call.isInlineAsm()) {
    effect.written = kAll;
  } else {
    const llvm::Function *function = called_library_function(call);
    if (function == nullptr || call.onlyReadsMemory())
      return;
    effect = look_up(*function).effect;
  }
  struct Mark {
    Hooks::Hook hook;
    llvm::Value *address;
  };
  llvm::SmallVector<Mark> marks;
  for (unsigned n = 0; n < call.arg_size(); ++n) {
    llvm::Value *argument = call.getArgOperand(n);
    if (!argument->getType()->isPointerTy() || is_outside_heap(argument))
      continue;
    const uint64_t bit = n < 64 ? 1ULL << n : 0;
    // A result returned in memory is written whatever the function is.
    const bool is_result = call.paramHasAttr(n, llvm::Attribute::StructRet);
    const bool is_read = call.onlyReadsMemory(n) || call.isByValArgument(n);
    if ((effect.kept & bit) != 0 && !is_read && !is_result)
      marks.push_back({Hooks::native_keeps, argument});
    else if (is_result || ((effect.written & bit) != 0 && !is_read))
      marks.push_back({Hooks::native_wrote, argument});
  }
  const bool has_range =
      effect.range_address >= 0 && effect.range_length < static_cast<int>(call.arg_size()) &&
      !is_outside_heap(call.getArgOperand(effect.range_address));
  if (marks.empty() && !has_range)
    return;
  llvm::Instruction *place = place_after(call);
  // Nothing can follow: it is looked at in every scan from now on.
  const bool is_before = place == nullptr;
  llvm::IRBuilder<> builder(is_before ? &call : place);
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  for (const Mark &mark : marks)
    hooks.call(builder, is_before ? Hooks::native_keeps : mark.hook, {mark.address});
  if (!has_range)
    return;
  llvm::Value *address = call.getArgOperand(effect.range_address);
  if (is_before)
    hooks.call(builder, Hooks::native_keeps, {address});
  else
    hooks.call(builder, Hooks::wrote,
               {address, builder.CreateZExtOrTrunc(call.getArgOperand(effect.range_length),
                                                   builder.getInt64Ty())});
}

} // namespace culprit
