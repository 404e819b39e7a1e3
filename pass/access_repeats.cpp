// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/access_repeats.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

#include <map>
#include <optional>
#include <tuple>

namespace culprit {

namespace {

// What makes two checks the same.
using Check = std::tuple<const llvm::DISubprogram *, unsigned, unsigned, bool, uint64_t,
                         const llvm::Value *, int64_t>;

std::optional<Check> check_of(const Access &access, const llvm::DataLayout &layout) {
  const llvm::DILocation *place = access.from->getDebugLoc().get();
  if (place == nullptr || place->getLine() == 0 || access.length != nullptr ||
      access.mask != nullptr)
    return std::nullopt;
  llvm::APInt offset(layout.getIndexTypeSizeInBits(access.address->getType()), 0);
  const llvm::Value *base =
      access.address->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return Check{place->getScope()->getSubprogram(),
               place->getLine(),
               place->getColumn(),
               access.is_read,
               access.size,
               base,
               offset.getSExtValue()};
}

class Repeats {
public:
  Repeats(llvm::Function &function, llvm::ArrayRef<Access> accesses, const FreeReach &frees)
      : function_(function), frees_(frees), is_repeat_(accesses.size()) {
    std::map<Check, std::vector<size_t>> equal;
    for (size_t i = 0; i < accesses.size(); ++i)
      if (const auto check = check_of(accesses[i], function.getParent()->getDataLayout()))
        equal[*check].push_back(i);
    std::vector<std::optional<unsigned>> number_of(accesses.size());
    for (const auto &[check, members] : equal)
      if (members.size() > 1) {
        for (const size_t i : members)
          number_of[i] = checks_;
        ++checks_;
      }
    for (size_t i = 0; i < accesses.size(); ++i)
      if (number_of[i])
        at_[accesses[i].at].push_back({i, *number_of[i]});
  }

  // Of each access: does it repeat?
  std::vector<bool> find() {
    if (checks_ == 0)
      return std::move(is_repeat_);
    solve();
    for (const auto &[block, known] : at_start_) {
      llvm::BitVector now = known;
      pass_through(*block, now, [&](size_t access) { is_repeat_[access] = true; });
    }
    return std::move(is_repeat_);
  }

private:
  struct Member {
    size_t access;
    unsigned check;
  };

  template <typename Repeated>
  void pass_through(const llvm::BasicBlock &block, llvm::BitVector &known, Repeated repeated) {
    for (const llvm::Instruction &instruction : block) {
      if (const auto found = at_.find(&instruction); found != at_.end())
        for (const Member &member : found->second) {
          if (known[member.check])
            repeated(member.access);
          known.set(member.check);
        }
      if (frees_.may_free(instruction))
        known.reset();
    }
  }

  // Everything is known until a way shows otherwise. Where the pointer is made nothing is known of
  // it: there is a way to its first making.
  void solve() {
    llvm::DenseMap<const llvm::BasicBlock *, llvm::BitVector> at_end;
    const llvm::ReversePostOrderTraversal<llvm::Function *> order(&function_);
    for (bool changes = true; changes;) {
      changes = false;
      for (const llvm::BasicBlock *block : order) {
        llvm::BitVector known(checks_, !block->isEntryBlock());
        for (const llvm::BasicBlock *before : llvm::predecessors(block))
          if (const auto found = at_end.find(before); found != at_end.end())
            known &= found->second;
        at_start_[block] = known;
        pass_through(*block, known, [](size_t) {});
        llvm::BitVector &end = at_end[block];
        changes = changes || end != known || end.empty();
        end = std::move(known);
      }
    }
  }

  llvm::Function &function_;
  const FreeReach &frees_;
  unsigned checks_ = 0; // made several times
  llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<Member, 2>> at_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BitVector> at_start_;
  std::vector<bool> is_repeat_;
};

} // namespace

void remove_repeats(llvm::Function &function, std::vector<Access> &accesses,
                    const FreeReach &frees) {
  const std::vector<bool> is_repeat = Repeats(function, accesses, frees).find();
  std::vector<Access> kept;
  for (size_t i = 0; i < accesses.size(); ++i)
    if (!is_repeat[i])
      kept.push_back(accesses[i]);
  accesses = std::move(kept);
}

} // namespace culprit
