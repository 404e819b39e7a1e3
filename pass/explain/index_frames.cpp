// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/explain/index_frames.h"

#include "abi/indexing.h"
#include "pass/explain/rewriter.h"
#include "pass/hooks.h"

#include "llvm/IR/Module.h"

#include <cstddef>

namespace culprit {

namespace {

constexpr uint64_t kCounterSize = 8;

bool ends(const llvm::Instruction &last) {
  return llvm::isa<llvm::ReturnInst, llvm::ResumeInst>(last);
}

} // namespace

IndexFrames::IndexFrames(llvm::Module &module, IndexPlan::Function &planned)
    : module_(module), planned_(planned) {}

llvm::Value *IndexFrames::field(llvm::IRBuilder<> &builder, llvm::Value *frame, uint64_t offset) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), frame, offset);
}

llvm::Value *IndexFrames::innermost(llvm::IRBuilder<> &builder) {
  llvm::GlobalVariable &variable =
      runtime_thread_local(module_, CULPRIT_INDEX_FRAME, builder.getPtrTy());
  return builder.CreateLoad(builder.getPtrTy(), builder.CreateThreadLocalAddress(&variable));
}

void IndexFrames::set_innermost(llvm::IRBuilder<> &builder, llvm::Value *frame) {
  llvm::GlobalVariable &variable =
      runtime_thread_local(module_, CULPRIT_INDEX_FRAME, builder.getPtrTy());
  builder.CreateStore(frame, builder.CreateThreadLocalAddress(&variable));
}

// The frame that is entered from, which may be nobody's.
static llvm::Value *caller_or_root(llvm::IRBuilder<> &builder, llvm::Module &module,
                                   llvm::Value *caller) {
  auto *type = llvm::ArrayType::get(builder.getInt8Ty(), sizeof(culprit_index_frame));
  llvm::GlobalVariable &root = runtime_thread_local(module, CULPRIT_INDEX_ROOT_FRAME, type);
  return builder.CreateSelect(builder.CreateIsNull(caller), builder.CreateThreadLocalAddress(&root),
                              caller);
}

// An open function without sites: its entry is something that happened at its caller's site, and
// what it calls itself is not.
void IndexFrames::count_entries() {
  llvm::BasicBlock &block = planned_.function->getEntryBlock();
  llvm::IRBuilder<> builder(&*block.getFirstNonPHIOrDbgOrAlloca());
  llvm::Value *caller = caller_or_root(builder, module_, innermost(builder));
  llvm::Value *place = field(builder, caller, offsetof(culprit_index_frame, happened));
  llvm::Value *before = builder.CreateLoad(builder.getInt32Ty(), place);
  llvm::Value *now = builder.CreateAdd(before, builder.getInt32(1));
  for (llvm::BasicBlock &each : *planned_.function)
    if (ends(*each.getTerminator()))
      llvm::IRBuilder<>(each.getTerminator()).CreateStore(now, place);
}

void IndexFrames::enter() {
  llvm::BasicBlock &block = planned_.function->getEntryBlock();
  llvm::IRBuilder<> builder(&block, block.begin());
  if (planned_.has_frame) {
    auto *type = llvm::ArrayType::get(builder.getInt8Ty(),
                                      sizeof(culprit_index_frame) + kCounterSize * planned_.slots);
    auto *frame = builder.CreateAlloca(type, nullptr, "culprit.frame");
    frame->setAlignment(llvm::Align(8));
    frame_ = frame;
  }
  builder.SetInsertPoint(&*block.getFirstNonPHIOrDbgOrAlloca());
  if (!planned_.has_frame) {
    frame_ = innermost(builder);
    return;
  }
  caller_ = innermost(builder);
  llvm::Value *caller = caller_;
  llvm::Value *entered = builder.getInt64(0);
  if (planned_.is_open) {
    caller = caller_or_root(builder, module_, caller_);
    llvm::Value *place = field(builder, caller, offsetof(culprit_index_frame, happened));
    llvm::Value *before = builder.CreateLoad(builder.getInt32Ty(), place);
    builder.CreateStore(builder.CreateAdd(before, builder.getInt32(1)), place);
    entered = builder.CreateZExt(before, builder.getInt64Ty());
  }
  builder.CreateStore(caller, field(builder, frame_, offsetof(culprit_index_frame, caller)));
  builder.CreateStore(builder.getInt64(0),
                      field(builder, frame_, offsetof(culprit_index_frame, index)));
  builder.CreateStore(entered, field(builder, frame_, offsetof(culprit_index_frame, entered)));
  // Who calls back without having been called (a signal handler) must find no site of another time.
  builder.CreateStore(builder.getInt64(0),
                      field(builder, frame_, offsetof(culprit_index_frame, site)));
  set_innermost(builder, frame_);
}

// By an exception, or by longjmp.
void IndexFrames::come_back() {
  for (llvm::BasicBlock &block : *planned_.function)
    if (block.isLandingPad()) {
      llvm::IRBuilder<> builder(&*block.getFirstInsertionPt());
      set_innermost(builder, frame_);
    }
  if (!planned_.cycles->has_jumps())
    return;
  for (const IndexPlan::Site &site : planned_.sites) {
    if (!returns_twice(*site.call) || !site.call->getType()->isIntegerTy())
      continue;
    llvm::IRBuilder<> builder(site.call->getNextNode());
    set_innermost(builder, frame_);
    count_return(builder, planned_.cycles->returns_to(*site.call->getParent()), site.call,
                 [&](unsigned counter) { return counters_[counter]; });
  }
}

void IndexFrames::leave() {
  if (!planned_.has_frame)
    return;
  for (llvm::BasicBlock &block : *planned_.function)
    if (ends(*block.getTerminator())) {
      llvm::IRBuilder<> builder(block.getTerminator());
      set_innermost(builder, caller_);
    }
}

// Variables of a function that calls setjmp keep their values only in memory.
void IndexFrames::count_cycles() {
  in_memory_ = planned_.cycles->has_jumps() || planned_.whole;
  counters_.resize(planned_.cycles->counters());
  // What counts returns by longjmp has marks that are part of no index.
  llvm::SmallVector<bool> needed(counters_.size(), planned_.whole || planned_.cycles->has_jumps());
  for (const IndexPlan::Site &site : planned_.sites)
    for (const unsigned number : site.counters)
      needed[number] = true;
  llvm::BasicBlock &entry = planned_.function->getEntryBlock();
  for (unsigned number = 0; number < needed.size(); ++number) {
    if (!needed[number])
      continue;
    counters_[number] = new llvm::AllocaInst(llvm::Type::getInt64Ty(module_.getContext()), 0,
                                             "culprit.counter", entry.begin());
    llvm::IRBuilder<> builder(&*entry.getFirstNonPHIOrDbgOrAlloca());
    builder.CreateStore(builder.getInt64(0), counters_[number], in_memory_);
  }
  for (const Cycles::Step &step : planned_.cycles->increments()) {
    if (counters_[step.counter] == nullptr)
      continue;
    llvm::IRBuilder<> builder(&*step.block->getFirstInsertionPt());
    llvm::Value *before =
        builder.CreateLoad(builder.getInt64Ty(), counters_[step.counter], in_memory_);
    builder.CreateStore(builder.CreateAdd(before, builder.getInt64(1)), counters_[step.counter],
                        in_memory_);
  }
  for (const Cycles::Step &step : planned_.cycles->clearings()) {
    if (counters_[step.counter] == nullptr)
      continue;
    llvm::IRBuilder<> builder(&*step.block->getFirstInsertionPt());
    builder.CreateStore(builder.getInt64(0), counters_[step.counter], in_memory_);
  }
  for (const Cycles::Step &step : planned_.cycles->resets()) {
    if (counters_[step.counter] == nullptr)
      continue;
    llvm::IRBuilder<> builder(step.block->getTerminator());
    builder.CreateStore(builder.getInt64(0), counters_[step.counter], in_memory_);
  }
}

void IndexFrames::stand_at(const IndexPlan::Site &site) {
  static_assert(offsetof(culprit_index_frame, happened) == offsetof(culprit_index_frame, site) + 4);
  // The callee reads the frame, and allocates: nothing that says otherwise is true any more.
  site.call->removeFnAttr(llvm::Attribute::Memory);
  if (auto *call = llvm::dyn_cast<llvm::CallInst>(site.call); call != nullptr && call->isTailCall())
    call->setTailCallKind(llvm::CallInst::TCK_None);
  llvm::IRBuilder<> builder(site.call);
  builder.CreateStore(builder.getInt64(site.number),
                      field(builder, frame_, offsetof(culprit_index_frame, site)));
  for (unsigned i = 0; i < site.counters.size(); ++i) {
    llvm::Value *count =
        builder.CreateLoad(builder.getInt64Ty(), counters_[site.counters[i]], in_memory_);
    builder.CreateStore(
        count,
        field(builder, frame_, sizeof(culprit_index_frame) + kCounterSize * (site.first + i)));
  }
}

// By whoever caught an exception without being seen.
void IndexFrames::come_back_from(const IndexPlan::Site &site) {
  if (!may_swallow(*site.call))
    return;
  if (llvm::Instruction *next = behind(*site.call)) {
    llvm::IRBuilder<> builder(next);
    set_innermost(builder, frame_);
  }
}

void IndexFrames::rewrite() {
  if (planned_.cycles == nullptr)
    return count_entries();
  planned_.function->removeFnAttr(llvm::Attribute::Memory);
  planned_.function->removeFnAttr(llvm::Attribute::Speculatable);
  count_cycles();
  enter();
  for (const IndexPlan::Site &site : planned_.sites)
    stand_at(site);
  for (const IndexPlan::Site &site : planned_.sites)
    come_back_from(site);
  come_back();
  leave();
}

} // namespace culprit
