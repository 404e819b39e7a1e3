// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/access_removal.h"

#include "pass/access_repeats.h"
#include "pass/fresh_blocks.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"

#include <algorithm>
#include <optional>

namespace culprit {

namespace {

// Bytes at constant distances from a pointer, [first, end), both ends checked.
struct Stretch {
  int64_t first;
  int64_t end;

  bool covers(const Stretch &other) const { return first <= other.first && end >= other.end; }
  bool operator==(const Stretch &) const = default;
};

// Of which pointer, and in which blocks that run together (one stands for all; null: it is a new
// block, wherever it is used).
using StretchKey = std::pair<const llvm::Value *, const llvm::BasicBlock *>;
using Stretches = llvm::DenseMap<StretchKey, Stretch>;

void widen(Stretches &known, const StretchKey &key, const Stretch &added) {
  const auto [found, is_new] = known.try_emplace(key, added);
  if (!is_new)
    found->second = {std::min(found->second.first, added.first),
                     std::max(found->second.end, added.end)};
}

// What holds on both ways.
void meet(Stretches &known, const Stretches &other) {
  for (auto each = known.begin(); each != known.end();) {
    const auto here = each++;
    const auto found = other.find(here->first);
    if (found == other.end()) {
      known.erase(here);
      continue;
    }
    here->second = {std::max(here->second.first, found->second.first),
                    std::min(here->second.end, found->second.end)};
    if (here->second.first >= here->second.end)
      known.erase(here);
  }
}

struct Place {
  const llvm::Value *base;
  Stretch bytes;
};

// Of an access of known size through one pointer.
std::optional<Place> place_of_access(const Access &access, const llvm::DataLayout &layout) {
  if (access.length != nullptr || access.mask != nullptr || access.size > INT32_MAX)
    return std::nullopt;
  llvm::APInt offset(layout.getIndexTypeSizeInBits(access.address->getType()), 0);
  const llvm::Value *base =
      access.address->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  const int64_t first = offset.getSExtValue();
  if (llvm::isa<llvm::Constant>(base) && !llvm::isa<llvm::GlobalValue>(base))
    return std::nullopt; // a fixed address
  return Place{base, {first, first + static_cast<int64_t>(access.size)}};
}

// Blocks that run together: whenever one of them does, so do the others, in the same round of the
// loops around them, or one in several rounds of a loop inside.
class Together {
public:
  Together(llvm::Function &function, llvm::FunctionAnalysisManager &analyses)
      : dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
        post_dominators_(function), loops_(analyses.getResult<llvm::LoopAnalysis>(function)) {}

  // The one that stands for all.
  const llvm::BasicBlock *first(const llvm::BasicBlock *block) {
    if (const auto known = first_.find(block); known != first_.end())
      return known->second;
    const llvm::BasicBlock *found = block;
    for (const auto *node = dominators_.getNode(block); node != nullptr;) {
      node = node->getIDom();
      if (node == nullptr || !runs_with(block, node->getBlock()))
        break;
      found = node->getBlock();
    }
    first_[block] = found;
    return found;
  }

private:
  bool runs_with(const llvm::BasicBlock *block, const llvm::BasicBlock *before) const {
    const llvm::Loop *around = loops_.getLoopFor(before);
    return post_dominators_.dominates(block, before) &&
           (around == nullptr || around->contains(block));
  }

  const llvm::DominatorTree &dominators_;
  const llvm::PostDominatorTree post_dominators_; // hoisting adds blocks and keeps only the others
  const llvm::LoopInfo &loops_;
  llvm::DenseMap<const llvm::BasicBlock *, const llvm::BasicBlock *> first_;
};

// Which accesses of a function are covered by the checks of others.
class Covering {
public:
  Covering(llvm::Function &function, llvm::ArrayRef<Access> accesses,
           const llvm::DataLayout &layout, const FreeReach &frees, Together &together)
      : function_(function), accesses_(accesses), frees_(frees), is_covered_(accesses.size()) {
    places_.reserve(accesses.size());
    llvm::DenseMap<StretchKey, const llvm::BasicBlock *> seen_in;
    for (size_t i = 0; i < accesses.size(); ++i) {
      const llvm::BasicBlock *block = accesses[i].at->getParent();
      by_instruction_[accesses[i].at].push_back(i);
      places_.push_back(place_of_access(accesses[i], layout));
      keys_.emplace_back(places_[i] ? places_[i]->base : nullptr, together.first(block));
      if (seen_in.try_emplace(keys_[i], block).first->second != block)
        shared_.insert(keys_[i]);
    }
  }

  std::vector<bool> find() {
    solve();
    for (llvm::BasicBlock &block : function_)
      decide(block);
    return std::move(is_covered_);
  }

private:
  // Applies the block to what is known at its start; only what other blocks can use.
  void pass_through(const llvm::BasicBlock &block, Stretches &known) const {
    for (const llvm::Instruction &instruction : block) {
      if (const auto found = by_instruction_.find(&instruction); found != by_instruction_.end())
        for (const size_t i : found->second)
          if (places_[i] && shared_.contains(keys_[i]))
            widen(known, keys_[i], places_[i]->bytes);
      if (frees_.may_free(instruction))
        known.clear();
      add_new_block(instruction, known);
    }
  }

  static void add_new_block(const llvm::Instruction &instruction, Stretches &known) {
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      if (const auto size = constant_request(*call); size && *size > 0)
        widen(known, {call, nullptr}, {0, static_cast<int64_t>(*size)});
  }

  void solve() {
    llvm::ReversePostOrderTraversal<llvm::Function *> order(&function_);
    for (bool changes = true; changes;) {
      changes = false;
      for (const llvm::BasicBlock *block : order) {
        Stretches known = at_start(*block);
        pass_through(*block, known);
        const auto found = at_end_.find(block);
        if (found != at_end_.end() && found->second == known)
          continue;
        at_end_[block] = std::move(known);
        changes = true;
      }
    }
  }

  // Blocks not yet passed say nothing against anything: this is how facts survive loops.
  Stretches at_start(const llvm::BasicBlock &block) const {
    Stretches known;
    bool is_first = true;
    for (const llvm::BasicBlock *before : llvm::predecessors(&block)) {
      const auto found = at_end_.find(before);
      if (found == at_end_.end())
        continue;
      if (is_first)
        known = found->second;
      else
        meet(known, found->second);
      is_first = false;
    }
    return known;
  }

  // Accesses through one pointer, by number, since the last place that may free.
  using Groups = llvm::MapVector<const llvm::Value *, std::vector<size_t>>;

  void decide(const llvm::BasicBlock &block) {
    Stretches known = at_start(block);
    Groups open;
    for (const llvm::Instruction &instruction : block) {
      if (const auto found = by_instruction_.find(&instruction); found != by_instruction_.end())
        for (const size_t i : found->second)
          if (places_[i])
            open[places_[i]->base].push_back(i);
      if (frees_.may_free(instruction)) {
        close(open, known);
        known.clear();
      }
      add_new_block(instruction, known);
    }
    close(open, known);
  }

  void close(Groups &open, const Stretches &known) {
    for (const auto &[base, members] : open) {
      const auto fresh = known.find({base, nullptr});
      std::vector<size_t> rest;
      for (const size_t i : members)
        if (fresh != known.end() && fresh->second.covers(places_[i]->bytes))
          is_covered_[i] = true;
        else
          rest.push_back(i);
      if (rest.empty())
        continue;
      const auto found = known.find(keys_[rest.front()]);
      keep_ends(rest, found != known.end() ? std::optional(found->second) : std::nullopt);
    }
    open.clear();
  }

  void keep_ends(llvm::ArrayRef<size_t> members, const std::optional<Stretch> &known) {
    std::optional<size_t> first;
    std::optional<size_t> last;
    for (const size_t i : members) {
      is_covered_[i] = true;
      const Stretch &bytes = places_[i]->bytes;
      if (!known || bytes.first < known->first)
        if (!first || bytes.first < start(*first) ||
            (bytes.first == start(*first) && is_better(i, *first)))
          first = i;
      if (!known || bytes.end > known->end)
        if (!last || bytes.end > end(*last) || (bytes.end == end(*last) && is_better(i, *last)))
          last = i;
    }
    // One that is both is enough.
    if (first && last && end(*first) == end(*last))
      last = first;
    else if (first && last && start(*last) == start(*first))
      first = last;
    if (first)
      is_covered_[*first] = false;
    if (last)
      is_covered_[*last] = false;
  }

  int64_t start(size_t i) const { return places_[i]->bytes.first; }
  int64_t end(size_t i) const { return places_[i]->bytes.end; }
  // Who writes is the better question.
  bool is_better(size_t i, size_t than) const {
    return accesses_[than].is_read && !accesses_[i].is_read;
  }

  llvm::Function &function_;
  llvm::ArrayRef<Access> accesses_;
  const FreeReach &frees_;
  llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<size_t, 2>> by_instruction_;
  std::vector<std::optional<Place>> places_; // beside accesses_
  std::vector<StretchKey> keys_;             // beside accesses_
  llvm::DenseSet<StretchKey> shared_;        // by several blocks
  llvm::DenseMap<const llvm::BasicBlock *, Stretches> at_end_;
  std::vector<bool> is_covered_;
};

// All locals the address may lead to; empty if it may lead elsewhere.
llvm::SmallVector<const llvm::AllocaInst *> locals_behind(const llvm::Value *address) {
  llvm::SmallVector<const llvm::Value *> objects;
  llvm::getUnderlyingObjects(address, objects);
  llvm::SmallVector<const llvm::AllocaInst *> locals;
  for (const llvm::Value *object : objects) {
    const auto *local = llvm::dyn_cast<llvm::AllocaInst>(object);
    if (local == nullptr)
      return {};
    locals.push_back(local);
  }
  return locals;
}

bool is_reachable_elsewhere(const llvm::AllocaInst *local) {
  return llvm::PointerMayBeCaptured(local, /*ReturnCaptures=*/true, /*StoreCaptures=*/true);
}

// An index into a global variable that cannot leave it, whatever it is: table[byte], hash & mask.
bool is_inside_global(const Access &access, const llvm::DataLayout &layout,
                      llvm::ScalarEvolution &evolution) {
  const llvm::Value *object = llvm::getUnderlyingObject(access.address);
  const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(object);
  if (global == nullptr || access.length != nullptr || access.mask != nullptr ||
      !global->getValueType()->isSized())
    return false;
  const llvm::SCEV *offset =
      evolution.getMinusSCEV(evolution.getSCEV(access.address),
                             evolution.getSCEV(const_cast<llvm::GlobalVariable *>(global)));
  if (llvm::isa<llvm::SCEVCouldNotCompute>(offset))
    return false;
  const llvm::ConstantRange range = evolution.getSignedRange(offset);
  const uint64_t size = layout.getTypeAllocSize(global->getValueType());
  return access.size <= size && !range.getSignedMin().isNegative() &&
         range.getSignedMax().ule(size - access.size);
}

} // namespace

bool AccessRemoval::is_known(const Access &access, llvm::ScalarEvolution &evolution) const {
  if (!access.address->getType()->isPointerTy())
    return false;
  if (const auto locals = locals_behind(access.address);
      !locals.empty() && stack_.stackAccessIsSafe(*access.at))
    return !keeps_all_ || llvm::none_of(locals, is_reachable_elsewhere);
  return !keeps_all_ &&
         (is_direct(access, layout_) || is_inside_global(access, layout_, evolution));
}

void AccessRemoval::remove_known(llvm::Function &function, std::vector<Access> &accesses,
                                 llvm::FunctionAnalysisManager &analyses) const {
  if (accesses.empty())
    return;
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  std::erase_if(accesses, [&](const Access &access) { return is_known(access, evolution); });
}

void AccessRemoval::remove_covered(llvm::Function &function, std::vector<Access> &accesses,
                                   llvm::FunctionAnalysisManager &analyses) const {
  if (keeps_all_ || accesses.empty())
    return;
  Together together(function, analyses);
  const std::vector<bool> is_covered =
      Covering(function, accesses, layout_, frees_, together).find();
  std::vector<Access> kept;
  for (size_t i = 0; i < accesses.size(); ++i)
    if (!is_covered[i])
      kept.push_back(accesses[i]);
  accesses = std::move(kept);
  remove_repeats(function, accesses, frees_);
}

} // namespace culprit
