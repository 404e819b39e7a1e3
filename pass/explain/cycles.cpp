// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/explain/cycles.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

namespace culprit {

bool returns_twice(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call != nullptr && call->hasFnAttr(llvm::Attribute::ReturnsTwice);
}

Cycles::Cycles(llvm::Function &function)
    : has_jumps_(llvm::any_of(llvm::instructions(function), returns_twice)) {
  if (has_jumps_)
    counters_ = 1;
  llvm::CycleInfo info;
  info.compute(function);
  // By the order of blocks, not of discovery: a number must not depend on how the graph is walked.
  // A header belongs to one cycle: its children are found without it.
  llvm::DenseMap<const llvm::Cycle *, unsigned> number;
  for (llvm::BasicBlock &block : function)
    if (const llvm::Cycle *cycle = info.getCycle(&block);
        cycle != nullptr && cycle->getHeader() == &block) {
      number[cycle] = counters_;
      increments_.push_back({&block, counters_++});
    }
  number_returns(info, function);
  for (llvm::BasicBlock &block : function) {
    llvm::SmallVector<unsigned, 2> &counters = around_[&block];
    for (const llvm::Cycle *cycle = info.getCycle(&block); cycle != nullptr;
         cycle = cycle->getParentCycle()) {
      if (const Jumped *jumped = jumped_into(*cycle))
        counters.insert(counters.begin(), jumped->numbers.returns);
      counters.insert(counters.begin(), number.lookup(cycle));
    }
    if (has_jumps_)
      counters.insert(counters.begin(), 0);
  }
  for (const Step &step : increments_) {
    const llvm::Cycle &cycle = *info.getCycle(step.block);
    llvm::SmallPtrSet<llvm::BasicBlock *, 4> done;
    for (llvm::BasicBlock *entry : cycle.getEntries())
      for (llvm::BasicBlock *before : llvm::predecessors(entry))
        if (!cycle.contains(before) && done.insert(before).second) {
          resets_.push_back({before, step.counter});
          if (const Jumped *jumped = jumped_into(cycle))
            resets_.push_back({before, jumped->numbers.returns});
        }
  }
}

Cycles::Jumped *Cycles::jumped_into(const llvm::Cycle &cycle) {
  auto *found = llvm::find_if(jumped_, [&](const Jumped &each) { return each.cycle == &cycle; });
  return found == jumped_.end() ? nullptr : found;
}

void Cycles::number_returns(const llvm::CycleInfo &info, llvm::Function &function) {
  for (llvm::BasicBlock &block : function) {
    const llvm::Cycle *cycle = info.getCycle(&block);
    if (cycle == nullptr || llvm::none_of(block, returns_twice))
      continue;
    Jumped *jumped = jumped_into(*cycle);
    if (jumped == nullptr) {
      jumped_.push_back({cycle, {}, {counters_, counters_ + 1}});
      counters_ += 2;
      jumped = &jumped_.back();
      llvm::SmallPtrSet<llvm::BasicBlock *, 4> left;
      for (llvm::BasicBlock *each : cycle->blocks()) {
        jumped->blocks.insert(each);
        for (llvm::BasicBlock *next : llvm::successors(each))
          if (!cycle->contains(next) && left.insert(next).second)
            clearings_.push_back({next, jumped->numbers.mark});
      }
      clearings_.push_back({cycle->getHeader(), jumped->numbers.returns});
    }
    innermost_.try_emplace(&block, jumped->numbers);
  }
}

Cycles::Return Cycles::returns_to(const llvm::BasicBlock &block) const {
  Return made;
  if (const auto found = innermost_.find(&block); found != innermost_.end())
    made.cycle = found->second;
  for (const Jumped &each : jumped_)
    if (!each.blocks.contains(&block))
      made.outside.push_back(each.numbers.mark);
  return made;
}

void count_return(llvm::IRBuilder<> &builder, const Cycles::Return &numbers, llvm::Value *returned,
                  llvm::function_ref<llvm::Value *(unsigned counter)> place) {
  // Volatile: variables of a function that calls setjmp keep their values only in memory.
  const auto load = [&](unsigned counter) {
    return builder.CreateLoad(builder.getInt64Ty(), place(counter), true);
  };
  const auto store = [&](llvm::Value *value, unsigned counter) {
    builder.CreateStore(value, place(counter), true);
  };
  const auto increase = [&](unsigned counter, llvm::Value *by) {
    store(builder.CreateAdd(load(counter), builder.CreateZExt(by, builder.getInt64Ty())), counter);
  };
  llvm::Value *jumped =
      builder.CreateICmpNE(returned, llvm::ConstantInt::get(returned->getType(), 0));
  llvm::Value *from_outside = jumped;
  if (numbers.cycle) {
    increase(numbers.cycle->returns, jumped);
    from_outside = builder.CreateAnd(jumped, builder.CreateIsNull(load(numbers.cycle->mark)));
    store(builder.getInt64(1), numbers.cycle->mark);
  }
  increase(0, from_outside);
  for (const unsigned mark : numbers.outside)
    store(builder.CreateSelect(jumped, builder.getInt64(0), load(mark)), mark);
}

llvm::ArrayRef<unsigned> Cycles::around(const llvm::BasicBlock &block) const {
  const auto found = around_.find(&block);
  return found == around_.end() ? llvm::ArrayRef<unsigned>() : found->second;
}

} // namespace culprit
