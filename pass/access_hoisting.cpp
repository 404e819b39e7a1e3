// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/access_hoisting.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MustExecute.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <algorithm>
#include <map>

namespace culprit {

namespace {

// A range is told by a call: not worth it for a few rounds.
constexpr unsigned kFewRounds = 4;
constexpr unsigned kBudget = 8; // what computing a length may cost, in LLVM's units

// What is the same for all accesses of a loop.
struct LoopFacts {
  bool may_free = false;
  bool may_end_early = false; // a call that need not return, or throws
};

bool is_same_place(const llvm::Instruction &one, const llvm::Instruction &other) {
  const llvm::DILocation *a = one.getDebugLoc().get();
  const llvm::DILocation *b = other.getDebugLoc().get();
  if (a == nullptr || b == nullptr)
    return a == b;
  return a->getLine() != 0 && a->getLine() == b->getLine() && a->getColumn() == b->getColumn() &&
         a->getScope()->getSubprogram() == b->getScope()->getSubprogram();
}

class Hoisting {
public:
  Hoisting(llvm::Function &function, std::vector<Access> &accesses,
           llvm::FunctionAnalysisManager &analyses, const FreeReach &frees)
      : accesses_(accesses), frees_(frees), layout_(function.getParent()->getDataLayout()),
        dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
        loops_(analyses.getResult<llvm::LoopAnalysis>(function)),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)),
        costs_(analyses.getResult<llvm::TargetIRAnalysis>(function)),
        expander_(evolution_, layout_, "culprit") {}

  void run() {
    for (Access &access : accesses_)
      while (hoist_fixed(access)) {
      }
    hoist_ranges();
  }

private:
  const LoopFacts &facts(const llvm::Loop *loop) {
    const auto [found, is_new] = facts_.try_emplace(loop);
    if (is_new)
      for (const llvm::BasicBlock *block : loop->blocks())
        for (const llvm::Instruction &instruction : *block) {
          found->second.may_free |= frees_.may_free(instruction);
          found->second.may_end_early |=
              !llvm::isGuaranteedToTransferExecutionToSuccessor(&instruction);
        }
    return found->second;
  }

  llvm::Instruction *before(llvm::Loop *loop) {
    llvm::BasicBlock *block = loop->getLoopPreheader();
    if (block == nullptr && loop->getHeader()->isLegalToHoistInto())
      block = llvm::InsertPreheaderForLoop(loop, &dominators_, &loops_, nullptr,
                                           /*PreserveLCSSA=*/false);
    return block != nullptr ? block->getTerminator() : nullptr;
  }

  bool is_certain(const llvm::Instruction &instruction, const llvm::Loop *loop) {
    llvm::SimpleLoopSafetyInfo safety;
    safety.computeLoopSafetyInfo(loop);
    return safety.isGuaranteedToExecute(instruction, &dominators_, loop);
  }

  bool is_cheap(llvm::ArrayRef<const llvm::SCEV *> values, llvm::Loop *loop,
                const llvm::Instruction *at) {
    for (const llvm::SCEV *value : values)
      if (llvm::isa<llvm::SCEVCouldNotCompute>(value) || !expander_.isSafeToExpandAt(value, at))
        return false;
    return !expander_.isHighCostExpansion(values, loop, kBudget, &costs_, at);
  }

  // Of an address that is the same in all rounds.
  bool hoist_fixed(Access &access) {
    llvm::Loop *loop = loops_.getLoopFor(access.at->getParent());
    if (loop == nullptr || access.mask != nullptr || access.length != nullptr ||
        facts(loop).may_free)
      return false;
    const llvm::SCEV *address = evolution_.getSCEV(access.address);
    if (!evolution_.isLoopInvariant(address, loop) || !is_certain(*access.at, loop))
      return false;
    llvm::Instruction *place = before(loop);
    if (place == nullptr)
      return false;
    if (!loop->isLoopInvariant(access.address)) {
      if (!is_cheap({address}, loop, place))
        return false;
      access.address = expander_.expandCodeFor(address, access.address->getType(), place);
    }
    access.at = place;
    return true;
  }

  struct Moving {
    size_t number; // of the access
    const llvm::SCEVAddRecExpr *address;
    int64_t step;
    int64_t offset = 0; // from the first of its set
  };

  static bool is_single_latch(const llvm::Loop *loop) {
    return loop->getLoopLatch() != nullptr && loop->getExitingBlock() == loop->getLoopLatch();
  }

  std::optional<Moving> moving(size_t number) {
    const Access &access = accesses_[number];
    llvm::Loop *loop = loops_.getLoopFor(access.at->getParent());
    if (loop == nullptr || access.mask != nullptr || access.length != nullptr ||
        !is_single_latch(loop) || facts(loop).may_free || facts(loop).may_end_early ||
        !dominators_.dominates(access.at->getParent(), loop->getLoopLatch()))
      return std::nullopt;
    const auto *address = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(access.address));
    if (address == nullptr || address->getLoop() != loop || !address->isAffine())
      return std::nullopt;
    const auto *step = llvm::dyn_cast<llvm::SCEVConstant>(address->getStepRecurrence(evolution_));
    if (step == nullptr || step->getAPInt().getSignificantBits() > 32 || step->isZero())
      return std::nullopt;
    return Moving{number, address, step->getAPInt().getSExtValue()};
  }

  void hoist_ranges() {
    std::vector<std::vector<Moving>> sets;
    for (size_t i = 0; i < accesses_.size(); ++i)
      if (auto found = moving(i))
        put(sets, *found);
    std::vector<bool> is_gone(accesses_.size());
    for (std::vector<Moving> &set : sets)
      if (hoist_set(set))
        for (const Moving &each : llvm::ArrayRef(set).drop_front())
          is_gone[each.number] = true;
    size_t next = 0;
    for (size_t i = 0; i < accesses_.size(); ++i)
      if (!is_gone[i])
        accesses_[next++] = accesses_[i];
    accesses_.resize(next);
  }

  // Beside those of the same place in the source that go the same way at a constant distance.
  void put(std::vector<std::vector<Moving>> &sets, Moving added) {
    const Access &access = accesses_[added.number];
    for (std::vector<Moving> &set : sets) {
      const Moving &first = set.front();
      const Access &other = accesses_[first.number];
      if (first.address->getLoop() != added.address->getLoop() || first.step != added.step ||
          other.is_read != access.is_read || !is_same_place(*other.from, *access.from))
        continue;
      const auto *distance = llvm::dyn_cast<llvm::SCEVConstant>(
          evolution_.getMinusSCEV(added.address->getStart(), first.address->getStart()));
      if (distance == nullptr || distance->getAPInt().getSignificantBits() > 32)
        continue;
      added.offset = distance->getAPInt().getSExtValue();
      set.push_back(added);
      return;
    }
    sets.push_back({added});
  }

  // The first of the set becomes the range.
  bool hoist_set(std::vector<Moving> &set) {
    llvm::sort(set, [](const Moving &a, const Moving &b) {
      return std::pair(a.offset, a.number) < std::pair(b.offset, b.number);
    });
    const int64_t step = set.front().step;
    int64_t end = set.front().offset;
    for (const Moving &each : set) {
      if (each.offset != end)
        return false;
      end += static_cast<int64_t>(accesses_[each.number].size);
    }
    if (end - set.front().offset != std::abs(step))
      return false;
    auto *loop = const_cast<llvm::Loop *>(set.front().address->getLoop());
    const unsigned most = evolution_.getSmallConstantMaxTripCount(loop);
    if (most != 0 && most < kFewRounds)
      return false;
    llvm::Instruction *place = before(loop);
    const llvm::SCEV *repeats = evolution_.getBackedgeTakenCount(loop);
    if (place == nullptr || llvm::isa<llvm::SCEVCouldNotCompute>(repeats))
      return false;
    llvm::Type *wide = llvm::Type::getInt64Ty(place->getContext());
    if (evolution_.getTypeSizeInBits(repeats->getType()) > 64)
      return false;
    repeats = evolution_.getTruncateOrZeroExtend(repeats, wide);
    const llvm::SCEV *size = evolution_.getConstant(wide, static_cast<uint64_t>(std::abs(step)));
    const llvm::SCEV *start = set.front().address->getStart();
    if (step < 0) // it ends where the range begins
      start = evolution_.getMinusSCEV(start, evolution_.getMulExpr(repeats, size));
    const llvm::SCEV *length =
        evolution_.getMulExpr(evolution_.getAddExpr(repeats, evolution_.getOne(wide)), size);
    if (!is_cheap({start, length}, loop, place))
      return false;
    Access &access = accesses_[set.front().number];
    access.address = expander_.expandCodeFor(start, access.address->getType(), place);
    access.at = place;
    if (const auto *known = llvm::dyn_cast<llvm::SCEVConstant>(length))
      access.size = known->getAPInt().getZExtValue();
    else
      access.length = expander_.expandCodeFor(length, wide, place);
    return true;
  }

  std::vector<Access> &accesses_;
  const FreeReach &frees_;
  const llvm::DataLayout &layout_;
  llvm::DominatorTree &dominators_;
  llvm::LoopInfo &loops_;
  llvm::ScalarEvolution &evolution_;
  llvm::TargetTransformInfo &costs_;
  llvm::SCEVExpander expander_;
  std::map<const llvm::Loop *, LoopFacts> facts_;
};

} // namespace

void hoist_accesses(llvm::Function &function, std::vector<Access> &accesses,
                    llvm::FunctionAnalysisManager &analyses, const FreeReach &frees) {
  if (!accesses.empty() && !analyses.getResult<llvm::LoopAnalysis>(function).empty())
    Hoisting(function, accesses, analyses, frees).run();
}

} // namespace culprit
