// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dominators of the reversed graph, by intersection in reverse post-order until nothing changes.
#include "pass/locate/post_dominators.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

#include <vector>

namespace culprit {

namespace {

using Block = llvm::BasicBlock;
using Ways = llvm::SmallVector<Block *, 2>;

Ways ways_from(Block &block) {
  llvm::Instruction *last = block.getTerminator();
  if (auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(last))
    return {invoke->getNormalDest()};
  return {llvm::succ_begin(&block), llvm::succ_end(&block)};
}

class Solver {
public:
  // `nodes` can all reach one of `ends`.
  Solver(const llvm::SmallVectorImpl<Block *> &ends, const llvm::DenseSet<Block *> &nodes)
      : nodes_(nodes) {
    // Post-order of the reversed graph from a virtual exit, which has number -1 here.
    for (Block *end : ends)
      visit(*end);
    order_.assign(visited_order_.rbegin(), visited_order_.rend());
    for (size_t i = 0; i < order_.size(); ++i)
      number_[order_[i]] = static_cast<int>(i);
    immediate_.assign(order_.size(), kUnknown);
    for (Block *end : ends)
      immediate_[number_[end]] = kExit;
    solve();
  }

  void results(llvm::DenseMap<const Block *, Block *> &immediate) const {
    for (size_t i = 0; i < order_.size(); ++i)
      if (immediate_[i] >= 0)
        immediate[order_[i]] = order_[immediate_[i]];
  }

private:
  static constexpr int kExit = -1;
  static constexpr int kUnknown = -2;

  void visit(Block &start) {
    if (!seen_.insert(&start).second)
      return;
    llvm::SmallVector<std::pair<Block *, llvm::pred_iterator>, 16> stack;
    stack.emplace_back(&start, llvm::pred_begin(&start));
    while (!stack.empty()) {
      auto &[block, next] = stack.back();
      if (next == llvm::pred_end(block)) {
        visited_order_.push_back(block);
        stack.pop_back();
        continue;
      }
      Block *before = *next++;
      Block *here = block; // `stack` may move
      if (!nodes_.contains(before) || seen_.contains(before) ||
          !llvm::is_contained(ways_from(*before), here))
        continue;
      seen_.insert(before);
      stack.emplace_back(before, llvm::pred_begin(before));
    }
  }

  int intersect(int a, int b) const {
    while (a != b) {
      if (a == kExit || b == kExit)
        return kExit;
      if (a > b)
        a = immediate_[a];
      else
        b = immediate_[b];
    }
    return a;
  }

  void solve() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (size_t i = 0; i < order_.size(); ++i) {
        const Ways ways = ways_from(*order_[i]);
        int common = kUnknown;
        if (immediate_[i] == kExit)
          continue;
        for (Block *way : ways) {
          const auto found = number_.find(way);
          if (found == number_.end() || immediate_[found->second] == kUnknown)
            continue;
          common = common == kUnknown ? found->second : intersect(common, found->second);
        }
        if (common != immediate_[i]) {
          immediate_[i] = common;
          changed = true;
        }
      }
    }
  }

  const llvm::DenseSet<Block *> &nodes_;
  llvm::DenseSet<Block *> seen_;
  std::vector<Block *> visited_order_;
  std::vector<Block *> order_;
  llvm::DenseMap<Block *, int> number_;
  std::vector<int> immediate_;
};

// All blocks from which one of `ends` can be reached, without those in `except`.
llvm::DenseSet<Block *> leading_to(const llvm::SmallVectorImpl<Block *> &ends,
                                   const llvm::DenseSet<Block *> &except) {
  llvm::DenseSet<Block *> found(ends.begin(), ends.end());
  llvm::SmallVector<Block *, 16> list(ends.begin(), ends.end());
  while (!list.empty()) {
    Block *block = list.pop_back_val();
    for (Block *before : llvm::predecessors(block))
      if (!except.contains(before) && llvm::is_contained(ways_from(*before), block) &&
          found.insert(before).second)
        list.push_back(before);
  }
  return found;
}

} // namespace

PostDominators::PostDominators(llvm::Function &function) {
  llvm::SmallVector<Block *, 4> returns;
  llvm::SmallVector<Block *, 4> other_ends;
  for (Block &block : function) {
    if (llvm::isa<llvm::ReturnInst>(block.getTerminator()))
      returns.push_back(&block);
    else if (ways_from(block).empty())
      other_ends.push_back(&block);
  }
  const llvm::DenseSet<Block *> returning = leading_to(returns, {});
  Solver(returns, returning).results(immediate_);
  const llvm::DenseSet<Block *> ending = leading_to(other_ends, returning);
  Solver(other_ends, ending).results(immediate_);
}

} // namespace culprit
