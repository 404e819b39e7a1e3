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
constexpr uint64_t kWord = 16; // no library function hands back a larger number

template <class... Numbers> constexpr uint64_t arguments(Numbers... numbers) {
  return (0ULL | ... | (1ULL << numbers));
}

const llvm::StringMap<LibraryEffect> &table() {
  static const llvm::StringMap<LibraryEffect> kRows = {
#define QUIET(name) {#name, {}},
#define WRITES(name, ...) {#name, {.written = arguments(__VA_ARGS__)}},
#define WORD(name, ...) {#name, {.words = arguments(__VA_ARGS__)}},
#define WORDS(name) {#name, {.words = kAll}},
#define RANGE(name, address, length)                                                               \
  {#name, {.range_address = (address), .range_length = (length)}},
#define ITEMS(name, address, size, count)                                                          \
  {#name, {.range_address = (address), .range_length = (size), .range_count = (count)}},
#define TEXT(name, address)                                                                        \
  {#name, {.range_address = (address), .text = LibraryEffect::Text::ends_with_zero}},
#define PRINTS(name, address)                                                                      \
  {#name, {.range_address = (address), .text = LibraryEffect::Text::length_returned}},
#define LIMITED(name, address, length)                                                             \
  {#name,                                                                                          \
   {.range_address = (address),                                                                    \
    .range_length = (length),                                                                      \
    .text = LibraryEffect::Text::length_returned}},
#define KEEPS(name, ...) {#name, {.kept = arguments(__VA_ARGS__)}},
#include "pass/library_functions.def"
#undef QUIET
#undef WRITES
#undef WORD
#undef WORDS
#undef RANGE
#undef ITEMS
#undef TEXT
#undef PRINTS
#undef LIMITED
#undef KEEPS
  };
  return kRows;
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
  const bool is_stream = name.contains("stream") || name.contains("buf") || name.contains("ios") ||
                         name.starts_with("_ZNSo") || name.starts_with("_ZNSi") ||
                         name.starts_with("_ZNSd");
  const bool makes = name.contains("C1E") || name.contains("C2E") || name.contains("4init");
  if (is_stream && makes && name.starts_with("_ZNSt"))
    return {.kept = 1};
  return {.written = kAll, .objects = is_stream ? kAll & ~1ULL : kAll};
}

} // namespace

llvm::StringRef plain_library_name(llvm::StringRef name) {
  if (name.consume_front("__isoc99_") || name.consume_front("__isoc23_"))
    return name;
  llvm::StringRef inner = name;
  return inner.consume_front("__") && inner.consume_back("_chk") ? inner : name;
}

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

LibraryCalls::LibraryCalls(const llvm::Module &module)
    : library_implementation_(llvm::Triple(module.getTargetTriple())),
      library_(library_implementation_) {}

LibraryCalls::Known LibraryCalls::find(const llvm::Function &function) const {
  const llvm::StringRef name = plain_library_name(function.getName());
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
    uint64_t size; // of the object, for Hooks::wrote
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
    // How large the object behind a C++ reference is; a block may be an array of them. A stream's
    // virtual base lies outside.
    const uint64_t size = (effect.objects & bit) != 0 ? call.getParamDereferenceableBytes(n) : 0;
    if ((effect.kept & bit) != 0 && !is_read && !is_result)
      marks.push_back({Hooks::native_keeps, argument, 0});
    else if ((effect.words & bit) != 0 && !is_read)
      marks.push_back({Hooks::wrote, argument, kWord});
    else if (is_result || ((effect.written & bit) != 0 && !is_read))
      marks.push_back({size != 0 ? Hooks::wrote : Hooks::native_wrote, argument, size});
  }
  const auto count = static_cast<int>(call.arg_size());
  const bool has_range = effect.range_address >= 0 && effect.range_address < count &&
                         effect.range_length < count && effect.range_count < count &&
                         !is_outside_heap(call.getArgOperand(effect.range_address));
  if (marks.empty() && !has_range)
    return;
  llvm::Instruction *place = place_after(call);
  // Nothing can follow: it is looked at in every scan from now on.
  const bool is_before = place == nullptr;
  llvm::IRBuilder<> builder(is_before ? &call : place);
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  for (const Mark &mark : marks)
    if (!is_before && mark.hook == Hooks::wrote)
      hooks.call(builder, Hooks::wrote, {mark.address, builder.getInt64(mark.size)});
    else
      hooks.call(builder, is_before ? Hooks::native_keeps : mark.hook, {mark.address});
  if (!has_range)
    return;
  llvm::Value *address = call.getArgOperand(effect.range_address);
  if (is_before)
    hooks.call(builder, Hooks::native_keeps, {address});
  else
    hooks.call(builder, Hooks::wrote, {address, range_length(builder, effect, call)});
}

llvm::Value *LibraryCalls::range_length(llvm::IRBuilder<> &builder, const LibraryEffect &effect,
                                        llvm::CallBase &call) {
  llvm::Type *wide = builder.getInt64Ty();
  auto argument = [&](int n) { return builder.CreateZExtOrTrunc(call.getArgOperand(n), wide); };
  if (effect.text == LibraryEffect::Text::ends_with_zero)
    return measure_text(builder, call.getArgOperand(effect.range_address));
  if (effect.text == LibraryEffect::Text::length_returned) {
    // A negative result is an error: nothing to speak of was written.
    llvm::Value *printed =
        builder.CreateAdd(builder.CreateSExtOrTrunc(&call, wide), builder.getInt64(1));
    printed = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, printed, builder.getInt64(0));
    if (effect.range_length < 0)
      return printed;
    return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, printed,
                                         argument(effect.range_length));
  }
  llvm::Value *length = argument(effect.range_length);
  return effect.range_count < 0 ? length : builder.CreateMul(length, argument(effect.range_count));
}

llvm::Value *LibraryCalls::measure_text(llvm::IRBuilder<> &builder, llvm::Value *address) {
  return builder.CreateCall(text_length(*builder.GetInsertBlock()->getModule()), {address});
}

// A loop of our own: after symbol resolution, a call of strlen may find none in a static link.
llvm::Function *LibraryCalls::text_length(llvm::Module &module) {
  if (text_length_ != nullptr)
    return text_length_;
  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> builder(context);
  text_length_ = llvm::Function::Create(
      llvm::FunctionType::get(builder.getInt64Ty(), {builder.getPtrTy()}, false),
      llvm::GlobalValue::InternalLinkage, "culprit.text_length", module);
  text_length_->setDoesNotThrow();
  text_length_->addFnAttr("frame-pointer", "all");
  auto *entry = llvm::BasicBlock::Create(context, "", text_length_);
  auto *loop = llvm::BasicBlock::Create(context, "loop", text_length_);
  auto *end = llvm::BasicBlock::Create(context, "end", text_length_);
  builder.SetInsertPoint(entry);
  builder.CreateBr(loop);
  builder.SetInsertPoint(loop);
  llvm::PHINode *length = builder.CreatePHI(builder.getInt64Ty(), 2);
  llvm::Value *letter = Hooks::unsanitized(builder.CreateLoad(
      builder.getInt8Ty(), builder.CreatePtrAdd(text_length_->getArg(0), length)));
  llvm::Value *next = builder.CreateAdd(length, builder.getInt64(1));
  builder.CreateCondBr(builder.CreateIsNull(letter), end, loop);
  length->addIncoming(builder.getInt64(0), entry);
  length->addIncoming(next, loop);
  builder.SetInsertPoint(end);
  builder.CreateRet(next);
  return text_length_;
}

} // namespace culprit
