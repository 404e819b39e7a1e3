// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/access_joining.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"

#include <optional>

namespace culprit {

namespace {

constexpr size_t kMaxBetween = 32; // blocks
constexpr size_t kMaxTries = 8;    // others that are looked at for one access

// A member of a struct, as the type of the access has it.
struct Member {
  uint64_t offset;
  uint64_t last; // offset of the struct's last member
};

std::optional<Member> member_of(const llvm::Instruction &access) {
  const llvm::MDNode *tag = access.getMetadata(llvm::LLVMContext::MD_tbaa);
  if (tag == nullptr || tag->getNumOperands() < 3 || tag->getOperand(0) == tag->getOperand(1))
    return std::nullopt;
  const auto *record = llvm::dyn_cast<llvm::MDNode>(tag->getOperand(0));
  const auto *offset = llvm::mdconst::dyn_extract<llvm::ConstantInt>(tag->getOperand(2));
  if (record == nullptr || offset == nullptr || record->getNumOperands() < 3)
    return std::nullopt;
  const auto *last = llvm::mdconst::dyn_extract<llvm::ConstantInt>(
      record->getOperand(record->getNumOperands() - 1));
  if (last == nullptr)
    return std::nullopt;
  return Member{offset->getZExtValue(), last->getZExtValue()};
}

struct Candidate {
  size_t access;
  int64_t offset; // from the common pointer
};

class Joining {
public:
  Joining(llvm::Function &function, llvm::ArrayRef<Access> accesses, const FreeReach &frees,
          llvm::FunctionAnalysisManager &analyses)
      : accesses_(accesses), frees_(frees), layout_(function.getParent()->getDataLayout()),
        dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
        loops_(analyses.getResult<llvm::LoopAnalysis>(function)), post_dominators_(function) {}

  std::vector<JoinedAccesses> find() {
    llvm::MapVector<const llvm::Value *, llvm::SmallVector<Candidate, 4>> by_pointer;
    for (size_t i = 0; i < accesses_.size(); ++i)
      if (is_simple(accesses_[i])) {
        llvm::APInt offset(layout_.getIndexTypeSizeInBits(accesses_[i].address->getType()), 0);
        const llvm::Value *pointer = accesses_[i].address->stripAndAccumulateConstantOffsets(
            layout_, offset, /*AllowNonInbounds=*/true);
        by_pointer[pointer].push_back({i, offset.getSExtValue()});
      }
    std::vector<JoinedAccesses> pairs;
    for (auto &[pointer, candidates] : by_pointer)
      pair_up(candidates, pairs);
    return pairs;
  }

private:
  // One granule, one row; and a load or store with a type.
  bool is_simple(const Access &access) const {
    return access.length == nullptr && access.mask == nullptr && access.size <= 8 &&
           llvm::isPowerOf2_64(access.size) && access.alignment.value() >= access.size &&
           !is_direct(access, layout_) &&
           (llvm::isa<llvm::LoadInst>(access.from) || llvm::isa<llvm::StoreInst>(access.from));
  }

  void pair_up(llvm::ArrayRef<Candidate> candidates, std::vector<JoinedAccesses> &pairs) {
    llvm::SmallVector<bool, 8> is_taken(candidates.size());
    for (size_t i = 0; i < candidates.size(); ++i)
      for (size_t j = i + 1; !is_taken[i] && j < candidates.size() && j - i <= kMaxTries; ++j) {
        if (is_taken[j] || candidates[i].offset == candidates[j].offset ||
            !are_of_one_struct(candidates[i], candidates[j]))
          continue;
        for (const auto &[first, other] :
             {std::pair(candidates[i], candidates[j]), std::pair(candidates[j], candidates[i])})
          if (leads_to(*accesses_[first.access].at, *accesses_[other.access].at)) {
            pairs.push_back({first.access, other.access, other.offset - first.offset});
            is_taken[i] = is_taken[j] = true;
            break;
          }
      }
  }

  bool are_of_one_struct(const Candidate &one, const Candidate &two) const {
    return is_inside(one, two) || is_inside(two, one);
  }
  bool is_inside(const Candidate &known, const Candidate &other) const {
    const std::optional<Member> member = member_of(*accesses_[known.access].from);
    if (!member)
      return false;
    const int64_t offset = static_cast<int64_t>(member->offset) + other.offset - known.offset;
    return offset >= 0 && offset <= static_cast<int64_t>(member->last);
  }

  // Whenever `from` is executed, so is `to` behind it, once, with nothing in between that matters.
  bool leads_to(const llvm::Instruction &from, const llvm::Instruction &to) const {
    const llvm::BasicBlock *begin = from.getParent();
    const llvm::BasicBlock *end = to.getParent();
    if (begin == end)
      return from.comesBefore(&to) && is_harmless(from.getIterator(), to.getIterator());
    if (loops_.getLoopFor(begin) != loops_.getLoopFor(end) || !dominators_.dominates(begin, end) ||
        !post_dominators_.dominates(end, begin) || !is_harmless(from.getIterator(), begin->end()) ||
        !is_harmless(end->begin(), to.getIterator()))
      return false;
    llvm::SmallPtrSet<const llvm::BasicBlock *, 8> seen{begin, end};
    llvm::SmallVector<const llvm::BasicBlock *, 8> open{begin};
    while (!open.empty())
      for (const llvm::BasicBlock *next : llvm::successors(open.pop_back_val())) {
        if (!seen.insert(next).second)
          continue;
        if (seen.size() > kMaxBetween || !is_harmless(next->begin(), next->end()))
          return false;
        open.push_back(next);
      }
    return true;
  }

  bool is_harmless(llvm::BasicBlock::const_iterator from,
                   llvm::BasicBlock::const_iterator to) const {
    for (; from != to; ++from)
      if (frees_.may_free(*from) || !llvm::isGuaranteedToTransferExecutionToSuccessor(&*from))
        return false;
    return true;
  }

  llvm::ArrayRef<Access> accesses_;
  const FreeReach &frees_;
  const llvm::DataLayout &layout_;
  const llvm::DominatorTree &dominators_;
  const llvm::LoopInfo &loops_;
  const llvm::PostDominatorTree post_dominators_; // hoisting adds blocks and keeps only the others
};

} // namespace

std::vector<JoinedAccesses> join_accesses(llvm::Function &function, llvm::ArrayRef<Access> accesses,
                                          const FreeReach &frees,
                                          llvm::FunctionAnalysisManager &analyses) {
  if (accesses.size() < 2)
    return {};
  return Joining(function, accesses, frees, analyses).find();
}

} // namespace culprit
