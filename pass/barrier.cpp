// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/barrier.h"

#include "abi/monitor.h"
#include "pass/fresh_blocks.h"
#include "pass/hooks.h"
#include "pass/probes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <algorithm>

namespace culprit {

namespace {

constexpr uint64_t kCardSize = 1ULL << CULPRIT_CARD_SHIFT;

// Written words at constant distances from `base`, on at most two cards.
struct Stretch {
  llvm::Value *base;
  int64_t first; // distance of the first written word
  int64_t last;  // of the last, or of the last byte if that may lie on another card
  llvm::Align alignment;
  llvm::DebugLoc location;
};

struct Check {
  llvm::Instruction *before;
  Stretch stretch;
};

bool reaches_metric_point(const llvm::Instruction &instruction) {
  if (instruction.isTerminator() || is_entry_probe(instruction))
    return true;
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call != nullptr && !llvm::isa<llvm::IntrinsicInst>(call) && !call->isInlineAsm();
}

// The distance of `high` from `low` is below a card: are both on one card?
bool is_one_card(const Stretch &stretch) {
  const auto step = static_cast<int64_t>(std::min<uint64_t>(stretch.alignment.value(), kCardSize));
  auto floor = [step](int64_t n) { return n >= 0 ? n / step : -((-n + step - 1) / step); };
  return floor(stretch.first) == floor(stretch.last);
}

class Planner {
public:
  explicit Planner(const llvm::DataLayout &layout) : layout_(layout) {}

  void add(const Write &write) {
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(write.address->getType()), 0);
    llvm::Value *base = write.address->stripAndAccumulateConstantOffsets(layout_, offset,
                                                                         /*AllowNonInbounds=*/true);
    const int64_t first = offset.getSExtValue();
    const bool may_straddle = write.size > write.alignment.value();
    const int64_t last = may_straddle ? first + static_cast<int64_t>(write.size) - 1 : first;
    Stretch added{base, first, last, base->getPointerAlignment(layout_), write.at->getDebugLoc()};
    for (Stretch &stretch : open_)
      if (stretch.base == base && join(stretch, added))
        return;
    open_.push_back(added);
  }

  void close(llvm::Instruction &before) {
    for (const Stretch &stretch : open_)
      checks_.push_back({&before, stretch});
    open_.clear();
  }

  llvm::ArrayRef<Check> checks() const { return checks_; }

private:
  static bool join(Stretch &stretch, const Stretch &added) {
    const int64_t first = std::min(stretch.first, added.first);
    const int64_t last = std::max(stretch.last, added.last);
    if (last - first >= static_cast<int64_t>(kCardSize))
      return false;
    stretch.first = first;
    stretch.last = last;
    return true;
  }

  const llvm::DataLayout &layout_;
  llvm::SmallVector<Stretch> open_;
  std::vector<Check> checks_;
};

void insert_check(llvm::Instruction *before, llvm::Value *base, int64_t distance,
                  const llvm::DebugLoc &location, llvm::MDNode *rarely, Hooks &hooks) {
  llvm::IRBuilder<> builder(before);
  builder.SetCurrentDebugLocation(location);
  llvm::Value *address = base;
  if (distance != 0)
    address = builder.CreatePtrAdd(base, builder.getInt64(distance));
  llvm::Value *number =
      builder.CreateLShr(builder.CreatePtrToInt(address, builder.getInt64Ty()), CULPRIT_CARD_SHIFT);
  llvm::Value *card = builder.CreateIntToPtr(
      builder.CreateAdd(number, builder.getInt64(CULPRIT_CARD_BASE), "", /*HasNUW=*/true,
                        /*HasNSW=*/true),
      builder.getPtrTy());
  llvm::Value *mark = Hooks::unsanitized(builder.CreateLoad(builder.getInt8Ty(), card));
  llvm::Value *clean = builder.CreateICmpEQ(mark, builder.getInt8(CULPRIT_CARD_CLEAN));
  llvm::Instruction *then =
      llvm::SplitBlockAndInsertIfThen(clean, before, /*Unreachable=*/false, rarely);
  builder.SetInsertPoint(then);
  builder.SetCurrentDebugLocation(location);
  hooks.call(builder, Hooks::card_dirty, {address});
}

// Writes the runtime is told of at once: of unknown or large size, and scatters.
void tell_runtime(const Write &write, Hooks &hooks) {
  llvm::IRBuilder<> builder(write.at->getNextNode());
  builder.SetCurrentDebugLocation(write.at->getDebugLoc());
  const auto *lanes = llvm::dyn_cast<llvm::FixedVectorType>(write.address->getType());
  if (lanes == nullptr) {
    llvm::Value *length = write.length != nullptr
                              ? builder.CreateZExtOrTrunc(write.length, builder.getInt64Ty())
                              : builder.getInt64(write.size);
    hooks.call(builder, Hooks::wrote, {write.address, length});
    return;
  }
  // A masked-out lane may hold any address: the runtime is told of none instead.
  const auto *scatter = llvm::cast<llvm::IntrinsicInst>(write.at);
  llvm::Value *mask = scatter->getIntrinsicID() == llvm::Intrinsic::masked_scatter
                          ? scatter->getArgOperand(3)
                          : scatter->getArgOperand(2);
  for (unsigned lane = 0; lane < lanes->getNumElements(); ++lane) {
    llvm::Value *length = builder.CreateSelect(builder.CreateExtractElement(mask, lane),
                                               builder.getInt64(write.size), builder.getInt64(0));
    hooks.call(builder, Hooks::wrote, {builder.CreateExtractElement(write.address, lane), length});
  }
}

} // namespace

void insert_barriers(llvm::Function &function, llvm::ArrayRef<Write> writes, Hooks &hooks) {
  Planner planner(function.getParent()->getDataLayout());
  llvm::DenseMap<const llvm::Instruction *, const Write *> by_instruction;
  for (const Write &write : writes)
    by_instruction[write.at] = &write;
  std::vector<const Write *> told;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block) {
      if (reaches_metric_point(instruction))
        planner.close(instruction);
      const auto found = by_instruction.find(&instruction);
      if (found == by_instruction.end())
        continue;
      const Write &write = *found->second;
      if (writes_fresh_block(instruction, write.address))
        continue;
      const bool is_small = write.length == nullptr && write.size <= kCardSize &&
                            write.address->getType()->isPointerTy();
      if (is_small)
        planner.add(write);
      else
        told.push_back(&write);
    }
  for (const Write *write : told)
    tell_runtime(*write, hooks);

  llvm::MDNode *rarely = llvm::MDBuilder(function.getContext()).createUnlikelyBranchWeights();
  for (const Check &check : planner.checks()) {
    const Stretch &stretch = check.stretch;
    insert_check(check.before, stretch.base, stretch.first, stretch.location, rarely, hooks);
    if (!is_one_card(stretch))
      insert_check(check.before, stretch.base, stretch.last, stretch.location, rarely, hooks);
  }
}

} // namespace culprit
