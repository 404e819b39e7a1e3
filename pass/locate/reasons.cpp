// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/reasons.h"

#include "abi/locate.h"
#include "pass/locate/dead_ends.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <utility>

namespace culprit {

namespace {

using Blocks = llvm::SmallPtrSet<llvm::BasicBlock *, 8>;

constexpr size_t kMostNodes = 64; // of a tree of ways; parts that exclude each other double them

// Where control goes on in the usual way: unwinding is somebody else's decision.
llvm::SmallVector<llvm::BasicBlock *, 4> next_of(llvm::BasicBlock &block) {
  if (ends_by_call(block))
    return {};
  if (const auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(block.getTerminator()))
    return {invoke->getNormalDest()};
  return llvm::SmallVector<llvm::BasicBlock *, 4>(llvm::successors(&block));
}

// All that lead to one of these, without passing `except`.
Blocks leading_to(llvm::SmallVector<llvm::BasicBlock *, 16> rest, const llvm::BasicBlock *except) {
  Blocks found(rest.begin(), rest.end());
  while (!rest.empty()) {
    llvm::BasicBlock *block = rest.pop_back_val();
    for (llvm::BasicBlock *before : llvm::predecessors(block))
      if (before != except && llvm::is_contained(next_of(*before), block) &&
          found.insert(before).second)
        rest.push_back(before);
  }
  return found;
}

Blocks inevitable_before(llvm::BasicBlock &end) {
  llvm::SmallVector<llvm::BasicBlock *, 16> others;
  for (llvm::BasicBlock &block : *end.getParent())
    if (&block != &end && next_of(block).empty())
      others.push_back(&block);
  const Blocks avoid = leading_to(others, &end);
  Blocks found;
  for (llvm::BasicBlock *block : leading_to({&end}, nullptr))
    if (!avoid.contains(block))
      found.insert(block);
  return found;
}

// The same, if no loop is sure to end.
Blocks surely_before(llvm::BasicBlock &end) {
  Blocks found;
  llvm::SmallVector<llvm::BasicBlock *, 8> rest{&end};
  while (!rest.empty()) {
    llvm::BasicBlock *block = rest.pop_back_val();
    if (!found.insert(block).second)
      continue;
    for (llvm::BasicBlock *before : llvm::predecessors(block))
      if (const auto next = next_of(*before);
          !next.empty() && llvm::all_of(next, [&](auto *way) { return found.contains(way); }))
        rest.push_back(before);
  }
  return found;
}

class Finder {
public:
  explicit Finder(llvm::BasicBlock &end) : function_(*end.getParent()) {
    reasons_.end = &end;
    reasons_.inevitable = inevitable_before(end);
    if (ends(&function_.getEntryBlock()))
      reasons_.inevitable = surely_before(end);
  }

  Reasons find() {
    if (ends(&function_.getEntryBlock()))
      return std::move(reasons_);
    find_last_parts();
    find_other_parts();
    if (!make_tree()) {
      parts_ = last_;
      reasons_.ways.clear();
      make_tree();
    }
    return std::move(reasons_);
  }

private:
  bool ends(llvm::BasicBlock *block) const { return reasons_.inevitable.contains(block); }

  void find_last_parts() {
    for (llvm::BasicBlock &block : function_)
      if (!ends(&block) && condition_of_branch(block) != nullptr &&
          llvm::any_of(next_of(block), [&](llvm::BasicBlock *next) { return ends(next); }))
        last_.insert(&block);
    parts_ = last_;
  }

  // Only if all lead on to the same place.
  void find_other_parts() {
    Blocks onward;
    for (llvm::BasicBlock *block : last_)
      for (llvm::BasicBlock *next : next_of(*block))
        if (!ends(next) && !last_.contains(next))
          onward.insert(next);
    if (onward.size() != 1)
      return;
    onward_ = *onward.begin();
    llvm::SmallVector<llvm::BasicBlock *, 8> rest(parts_.begin(), parts_.end());
    while (!rest.empty())
      for (llvm::BasicBlock *before : llvm::predecessors(rest.pop_back_val()))
        if (before != onward_ && !ends(before) && !parts_.contains(before) &&
            condition_of_branch(*before) != nullptr &&
            llvm::all_of(next_of(*before), [&](llvm::BasicBlock *next) {
              return next == onward_ || ends(next) || parts_.contains(next);
            })) {
          parts_.insert(before);
          // Who led to one of these only now leads to parts alone.
          rest.assign(parts_.begin(), parts_.end());
          break;
        }
  }

  // From this block on, without those that were asked after it.
  bool may_lead_on(llvm::BasicBlock *block, Blocks &passed) const {
    if (onward_ == nullptr || block == onward_)
      return onward_ != nullptr;
    return parts_.contains(block) && passed.insert(block).second &&
           llvm::any_of(next_of(*block),
                        [&](llvm::BasicBlock *next) { return may_lead_on(next, passed); });
  }

  // The blocks of the way that begins at the node.
  llvm::SmallVector<llvm::BasicBlock *, 8> way_from(int node) const {
    llvm::SmallVector<llvm::BasicBlock *, 8> way;
    for (; node >= 0; node = reasons_.ways[node].parent)
      way.push_back(reasons_.ways[node].block);
    return way;
  }

  bool add(llvm::BasicBlock *block, int parent) {
    if (reasons_.ways.size() == kMostNodes)
      return false;
    const auto after = way_from(parent);
    if (llvm::is_contained(after, block))
      return true; // round a loop: another execution of the condition
    const int node = static_cast<int>(reasons_.ways.size());
    Reason reason;
    reason.block = block;
    reason.parent = parent;
    if (parent < 0) {
      reason.deciding.push_back(block);
    } else {
      reason.deciding = reasons_.ways[parent].deciding;
      Blocks passed(after.begin(), after.end());
      if (llvm::any_of(next_of(*block), [&](llvm::BasicBlock *next) {
            return next != after.front() && may_lead_on(next, passed);
          }))
        reason.deciding.push_back(block);
      reasons_.ways[parent].children.push_back(node);
    }
    reasons_.ways.push_back(std::move(reason));
    for (llvm::BasicBlock &before : function_) // in an order that is the same every time
      if (parts_.contains(&before) && llvm::is_contained(next_of(before), block) &&
          !add(&before, node))
        return false;
    return true;
  }

  bool make_tree() {
    for (llvm::BasicBlock &block : function_)
      if (last_.contains(&block) && !add(&block, -1))
        return false;
    std::vector<Reason> all;
    for (int node = 0; node < static_cast<int>(reasons_.ways.size()); ++node)
      if (reasons_.ways[node].parent < 0) {
        cut(node);
        keep(node, -1, all);
      }
    reasons_.ways = std::move(all);
    return true;
  }

  int keep(int number, int parent, std::vector<Reason> &kept) const {
    const int now = static_cast<int>(kept.size());
    kept.push_back(reasons_.ways[number]);
    kept[now].parent = parent;
    for (size_t i = 0; i < reasons_.ways[number].children.size(); ++i) {
      const int child = keep(reasons_.ways[number].children[i], now, kept);
      kept[now].children[i] = child;
    }
    return now;
  }

  // What was asked before without deciding anything need not be told apart.
  void cut(int number) {
    for (const int child : reasons_.ways[number].children)
      cut(child);
    Reason &node = reasons_.ways[number];
    const auto is_child = [&](llvm::BasicBlock *before) {
      return reasons_.before(number, before) >= 0;
    };
    // A way that never begins here does not count.
    if (!node.children.empty() && llvm::all_of(llvm::predecessors(node.block), is_child))
      node.deciding = reasons_.ways[node.children.front()].deciding;
    if (llvm::all_of(node.children, [&](int child) {
          return reasons_.ways[child].children.empty() &&
                 reasons_.ways[child].deciding == node.deciding;
        }))
      node.children.clear();
  }

  llvm::Function &function_;
  Reasons reasons_;
  Blocks last_;
  Blocks parts_;
  llvm::BasicBlock *onward_ = nullptr;
};

} // namespace

llvm::Value *condition_of_branch(const llvm::BasicBlock &block) {
  const llvm::Instruction *last = block.getTerminator();
  if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(last))
    return branch->isConditional() ? branch->getCondition() : nullptr;
  const auto *table = llvm::dyn_cast<llvm::SwitchInst>(last);
  return table != nullptr ? table->getCondition() : nullptr;
}

llvm::SmallVector<Leaf, 4> leaves_of_way(const Reason &way) {
  llvm::SmallVector<Leaf, 4> leaves;
  for (const llvm::BasicBlock *block : way.deciding)
    for (const Leaf &leaf : leaves_of(condition_of_branch(*block),
                                      block == way.deciding.front() ? "condition" : "guard"))
      if (leaves.size() < CULPRIT_LEAVES)
        leaves.push_back(leaf);
  return leaves;
}

llvm::SmallVector<Leaf, 4> leaves_of_last_condition(llvm::BasicBlock &block) {
  const llvm::DominatorTree dominators(*block.getParent());
  const auto *node = dominators.getNode(&block);
  while (node != nullptr && node->getIDom() != nullptr) {
    node = node->getIDom();
    if (llvm::Value *condition = condition_of_branch(*node->getBlock()))
      return leaves_of(condition, "condition");
  }
  return {};
}

bool is_truth_constant(const llvm::Value &value) {
  return llvm::isa<llvm::ConstantInt>(value) && value.getType()->isIntegerTy(1);
}

llvm::Value *chosen_by(const llvm::Value &value, const llvm::BasicBlock &block) {
  return is_truth_constant(value) ? condition_of_branch(block) : nullptr;
}

int Reasons::last_part(const llvm::BasicBlock *block) const {
  for (int node = 0; node < static_cast<int>(ways.size()); ++node)
    if (ways[node].parent < 0 && ways[node].block == block)
      return node;
  return -1;
}

int Reasons::before(int node, const llvm::BasicBlock *block) const {
  for (const int child : ways[node].children)
    if (ways[child].block == block)
      return child;
  return -1;
}

Reasons reasons_for(llvm::BasicBlock &end) { return Finder(end).find(); }

} // namespace culprit
