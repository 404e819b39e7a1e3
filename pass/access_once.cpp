// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/access_once.h"

#include "abi/access.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <algorithm>

namespace culprit {

namespace {

constexpr uint64_t kRounds = 2; // at least so many, by LLVM's estimate: fewer do not pay

class Finding {
public:
  Finding(llvm::Function &function, llvm::ArrayRef<Access> accesses,
          llvm::FunctionAnalysisManager &analyses, const FreeReach &frees)
      : accesses_(accesses), frees_(frees), layout_(function.getParent()->getDataLayout()),
        loops_(analyses.getResult<llvm::LoopAnalysis>(function)),
        frequencies_(analyses.getResult<llvm::BlockFrequencyAnalysis>(function)) {}

  std::vector<OnceAccesses> find() {
    for (size_t i = 0; i < accesses_.size(); ++i)
      consider(i);
    return std::move(sets_);
  }

private:
  bool may_free(const llvm::Loop *loop) {
    const auto [found, is_new] = may_free_.try_emplace(loop);
    if (is_new)
      found->second = llvm::any_of(loop->blocks(), [&](const llvm::BasicBlock *block) {
        return llvm::any_of(*block, [&](const llvm::Instruction &instruction) {
          return frees_.may_free(instruction);
        });
      });
    return found->second;
  }

  // A local that comes to life in the loop is another one in each round.
  static bool lives_within(const llvm::Value *base, const llvm::Loop *loop) {
    const auto *local = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(base));
    return local != nullptr && llvm::any_of(local->users(), [&](const llvm::User *user) {
             const auto *marker = llvm::dyn_cast<llvm::LifetimeIntrinsic>(user);
             return marker != nullptr && loop->contains(marker);
           });
  }

  bool is_same_in(const llvm::Value *base, const llvm::Loop *loop) {
    return loop->isLoopInvariant(base) && !may_free(loop) && !lives_within(base, loop);
  }

  void consider(size_t number) {
    const Access &access = accesses_[number];
    llvm::Loop *loop = loops_.getLoopFor(access.at->getParent());
    if (loop == nullptr || access.mask != nullptr || access.length != nullptr ||
        access.size > CULPRIT_GRANULE)
      return;
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(access.address->getType()), 0);
    llvm::Value *base = access.address->stripAndAccumulateConstantOffsets(
        layout_, offset, /*AllowNonInbounds=*/true);
    if (!is_same_in(base, loop))
      return;
    while (loop->getParentLoop() != nullptr && is_same_in(base, loop->getParentLoop()))
      loop = loop->getParentLoop();
    llvm::BasicBlock *before = loop->getLoopPreheader();
    if (before == nullptr || !is_worth_it(access.at->getParent(), before))
      return;
    const OnceAccesses::Each each{number, base, offset.getSExtValue()};
    if (OnceAccesses *set = open_set(access, before))
      set->accesses.push_back(each);
    else
      sets_.push_back({before->getTerminator(), {each}});
  }

  bool is_worth_it(const llvm::BasicBlock *block, const llvm::BasicBlock *before) const {
    const uint64_t outside = frequencies_.getBlockFreq(before).getFrequency();
    return frequencies_.getBlockFreq(block).getFrequency() / kRounds >= outside;
  }

  // The last one, if this access follows its last one without fail.
  OnceAccesses *open_set(const Access &access, const llvm::BasicBlock *before) {
    if (sets_.empty() || sets_.back().begin != before->getTerminator())
      return nullptr;
    const llvm::Instruction *last = accesses_[sets_.back().accesses.back().access].at;
    if (last->getParent() != access.at->getParent())
      return nullptr;
    for (; last != access.at; last = last->getNextNode())
      if (last == nullptr || !llvm::isGuaranteedToTransferExecutionToSuccessor(last))
        return nullptr;
    return &sets_.back();
  }

  llvm::ArrayRef<Access> accesses_;
  const FreeReach &frees_;
  const llvm::DataLayout &layout_;
  const llvm::LoopInfo &loops_;
  const llvm::BlockFrequencyInfo &frequencies_;
  llvm::DenseMap<const llvm::Loop *, bool> may_free_;
  std::vector<OnceAccesses> sets_;
};

} // namespace

std::vector<OnceAccesses> find_once(llvm::Function &function, llvm::ArrayRef<Access> accesses,
                                    llvm::FunctionAnalysisManager &analyses,
                                    const FreeReach &frees) {
  if (accesses.empty() || analyses.getResult<llvm::LoopAnalysis>(function).empty())
    return {};
  return Finding(function, accesses, analyses, frees).find();
}

} // namespace culprit
