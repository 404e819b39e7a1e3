// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/access_joining.h"

#include "abi/access.h"
#include "pass/debug_types.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace culprit {

namespace {

constexpr size_t kMaxBetween = 32; // blocks
constexpr size_t kMaxTries = 8;    // others that are looked at for one access
constexpr uint64_t kWord = 8;

// A member of a struct, as the type of the access has it.
struct Member {
  uint64_t offset;
  uint64_t last; // offset of the struct's last member
  llvm::StringRef record;
};

std::optional<Member> member_of(const llvm::Instruction &access) {
  if (type_of(access) != AccessType::member)
    return std::nullopt;
  const llvm::MDNode *tag = access.getMetadata(llvm::LLVMContext::MD_tbaa);
  const auto *record = llvm::dyn_cast<llvm::MDNode>(tag->getOperand(0));
  const auto *offset = llvm::mdconst::dyn_extract<llvm::ConstantInt>(tag->getOperand(2));
  if (record == nullptr || offset == nullptr || record->getNumOperands() < 3)
    return std::nullopt;
  const auto *last = llvm::mdconst::dyn_extract<llvm::ConstantInt>(
      record->getOperand(record->getNumOperands() - 1));
  if (last == nullptr)
    return std::nullopt;
  const auto *name = llvm::dyn_cast<llvm::MDString>(record->getOperand(0));
  return Member{offset->getZExtValue(), last->getZExtValue(),
                name != nullptr ? name->getString() : ""};
}

// What the source's variables say that hold it; null: no struct.
const llvm::DICompositeType *record_behind(llvm::Value &pointer) {
  llvm::SmallVector<llvm::DbgValueInst *> instructions;
  llvm::SmallVector<llvm::DbgVariableRecord *> records;
  llvm::findDbgValues(instructions, &pointer, &records);
  for (const llvm::DbgVariableRecord *record : records)
    if (record->getExpression()->getNumElements() == 0)
      if (const llvm::DICompositeType *type = as_record(pointee(record->getVariable()->getType())))
        return type;
  return nullptr;
}

struct Candidate {
  size_t access;
  int64_t offset;                         // from the common pointer
  llvm::SmallVector<size_t, 4> followers; // candidates that happen when this one has
};

class Joining {
public:
  Joining(llvm::Function &function, llvm::ArrayRef<Access> accesses,
          llvm::ArrayRef<OnceAccesses> once, const FreeReach &frees,
          llvm::FunctionAnalysisManager &analyses)
      : accesses_(accesses), frees_(frees), layout_(function.getParent()->getDataLayout()),
        dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
        loops_(analyses.getResult<llvm::LoopAnalysis>(function)), post_dominators_(function),
        is_taken_(accesses.size()) {
    for (const OnceAccesses &set : once)
      for (const OnceAccesses::Each &each : set.accesses)
        is_taken_[each.access] = true;
  }

  std::vector<JoinedAccesses> find() {
    llvm::MapVector<llvm::Value *, std::vector<Candidate>> by_pointer;
    for (size_t i = 0; i < accesses_.size(); ++i)
      if (!is_taken_[i] && is_simple(accesses_[i])) {
        llvm::APInt offset(layout_.getIndexTypeSizeInBits(accesses_[i].address->getType()), 0);
        llvm::Value *pointer = accesses_[i].address->stripAndAccumulateConstantOffsets(
            layout_, offset, /*AllowNonInbounds=*/true);
        by_pointer[pointer].push_back({i, offset.getSExtValue(), {}});
      }
    std::vector<JoinedAccesses> sets;
    for (auto &[pointer, candidates] : by_pointer)
      if (candidates.size() > 1)
        make_sets(candidates, record_behind(*pointer), sets);
    return sets;
  }

private:
  // One granule or two, one row for each; and a load or store.
  bool is_simple(const Access &access) const {
    return access.length == nullptr && access.mask == nullptr && access.size <= CULPRIT_GRANULE &&
           llvm::isPowerOf2_64(access.size) &&
           access.alignment.value() >= std::min(access.size, kWord) &&
           !is_direct(access, layout_) &&
           (llvm::isa<llvm::LoadInst>(access.from) || llvm::isa<llvm::StoreInst>(access.from));
  }

  // The one that most others follow takes them, and so on. `record`: the struct that the pointer
  // points to; null: not known.
  void make_sets(std::vector<Candidate> &candidates, const llvm::DICompositeType *record,
                 std::vector<JoinedAccesses> &sets) const {
    const uint64_t size = record != nullptr ? bytes_of(record) : 0;
    for (size_t i = 0; i < candidates.size(); ++i)
      for (size_t j = i + 1; j < candidates.size() && j - i <= kMaxTries; ++j) {
        if (!are_of_one_struct(candidates[i], candidates[j], size) &&
            !are_near(candidates[i], candidates[j]))
          continue;
        const llvm::Instruction &one = *accesses_[candidates[i].access].at;
        const llvm::Instruction &two = *accesses_[candidates[j].access].at;
        if (leads_to(one, two))
          candidates[i].followers.push_back(j);
        else if (leads_to(two, one))
          candidates[j].followers.push_back(i);
      }
    std::vector<bool> is_taken(candidates.size());
    for (;;) {
      size_t best = 0;
      for (size_t i = 1; i < candidates.size(); ++i)
        if (candidates[i].followers.size() > candidates[best].followers.size())
          best = i;
      if (candidates[best].followers.empty())
        return;
      JoinedAccesses set{candidates[best].access, {}, {}};
      if (record != nullptr)
        set.records.push_back(record->getName().str());
      add_record(set, candidates[best]);
      is_taken[best] = true;
      for (const size_t each : candidates[best].followers) {
        set.others.push_back({candidates[each].access,
                              candidates[each].offset - candidates[best].offset,
                              are_near(candidates[best], candidates[each])});
        is_taken[each] = true;
        add_record(set, candidates[each]);
      }
      sets.push_back(std::move(set));
      for (size_t i = 0; i < candidates.size(); ++i)
        if (is_taken[i])
          candidates[i].followers.clear();
        else
          llvm::erase_if(candidates[i].followers, [&](size_t each) { return is_taken[each]; });
    }
  }

  void add_record(JoinedAccesses &set, const Candidate &candidate) const {
    if (const std::optional<Member> member = member_of(*accesses_[candidate.access].from))
      set.records.push_back(member->record.str());
  }

  bool are_of_one_struct(const Candidate &one, const Candidate &two, uint64_t record) const {
    return (ends_within(one, record) && ends_within(two, record)) || is_inside(one, two) ||
           is_inside(two, one);
  }
  bool ends_within(const Candidate &candidate, uint64_t record) const {
    return candidate.offset >= 0 &&
           static_cast<uint64_t>(candidate.offset) + accesses_[candidate.access].size <= record;
  }
  // In one granule for three quarters of the addresses that the first one's alignment allows.
  bool are_near(const Candidate &one, const Candidate &two) const {
    const auto end = [&](const Candidate &candidate) {
      return candidate.offset + static_cast<int64_t>(accesses_[candidate.access].size);
    };
    const auto span =
        static_cast<uint64_t>(std::max(end(one), end(two)) - std::min(one.offset, two.offset));
    constexpr uint64_t kGranule = CULPRIT_GRANULE;
    const uint64_t alignment = std::min(accesses_[one.access].alignment.value(), kGranule);
    return span <= kGranule &&
           ((kGranule - span) / alignment + 1) * alignment >= kGranule - kGranule / 4;
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
  std::vector<bool> is_taken_;
};

} // namespace

std::vector<JoinedAccesses> join_accesses(llvm::Function &function, llvm::ArrayRef<Access> accesses,
                                          llvm::ArrayRef<OnceAccesses> once, const FreeReach &frees,
                                          llvm::FunctionAnalysisManager &analyses) {
  if (accesses.size() < 2)
    return {};
  return Joining(function, accesses, once, frees, analyses).find();
}

void drop_never_joined(std::vector<JoinedAccesses> &sets, const llvm::StringSet<> &told_apart) {
  std::erase_if(sets, [&](JoinedAccesses &set) {
    if (llvm::none_of(set.records, [&](const std::string &record) {
          return record.empty() || told_apart.contains(record);
        }))
      llvm::erase_if(set.others, [](const JoinedAccesses::Other &other) { return !other.is_near; });
    return set.others.empty();
  });
}

} // namespace culprit
