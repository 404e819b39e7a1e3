// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/unwritten.h"

#include "pass/locate/telling_accesses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

namespace culprit {

namespace {

bool changes_ids(const llvm::Instruction &instruction) {
  if (!instruction.mayWriteToMemory() || is_telling(instruction))
    return false;
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    const llvm::Value *object = llvm::getUnderlyingObject(store->getPointerOperand());
    return !llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(object);
  }
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return !call->onlyAccessesInaccessibleMemory();
  return true;
}

} // namespace

Unwritten::Unwritten(llvm::Function &function) {
  for (llvm::BasicBlock &block : function) {
    block_numbers_[&block] = static_cast<unsigned>(blocks_.size());
    Block &known = blocks_.emplace_back();
    known.block = &block;
    for (llvm::Instruction &instruction : block) {
      const int number = static_cast<int>(known.instructions.size());
      if (changes_ids(instruction))
        known.writes.push_back(number);
      numbers_[&instruction] = number;
      known.instructions.push_back(&instruction);
    }
  }
  for (unsigned number = 0; number < blocks_.size(); ++number)
    for (const llvm::BasicBlock *next : llvm::successors(blocks_[number].block)) {
      blocks_[number].next.push_back(number_of(next));
      blocks_[number_of(next)].previous.push_back(number);
    }
}

Unwritten::Point Unwritten::before(const llvm::Instruction &instruction) const {
  return {block(instruction.getParent()).block, numbers_.lookup(&instruction)};
}

Unwritten::Point Unwritten::after(const llvm::Instruction &instruction) const {
  return {block(instruction.getParent()).block, numbers_.lookup(&instruction) + 1};
}

llvm::Instruction *Unwritten::at(const Point &point) const {
  return block(point.block).instructions[static_cast<size_t>(point.index)];
}

bool Unwritten::is_clean(const llvm::Instruction &first, const llvm::Instruction &last) const {
  const std::vector<int> &writes = block(first.getParent()).writes;
  const auto found = llvm::lower_bound(writes, numbers_.lookup(&first));
  return found == writes.end() || *found > numbers_.lookup(&last);
}

void Unwritten::add_write_to_stack(const llvm::BasicBlock &block) {
  blocks_[number_of(&block)].writes_stack = true;
}

Unwritten::Since Unwritten::since(const Point &from, bool is_on_stack) const {
  Since result;
  result.all_ = this;
  result.from_ = from;
  result.start_ = number_of(from.block);
  result.is_on_stack_ = is_on_stack;
  result.entered_.resize(blocks_.size(), Since::unreached);
  llvm::SmallVector<unsigned, 16> rest{result.start_};
  while (!rest.empty()) {
    const unsigned block = rest.pop_back_val();
    // Where it begins anew, what was before does not matter.
    const bool is_start = block == result.start_;
    const bool is_written = (!is_start && result.entered_[block] == Since::written) ||
                            result.first_write(block, is_start ? from.index : 0).has_value();
    const Since::State now = is_written ? Since::written : Since::clean;
    for (const unsigned next : blocks_[block].next) {
      if (now <= result.entered_[next])
        continue;
      result.entered_[next] = now;
      if (next != result.start_)
        rest.push_back(next);
    }
  }
  return result;
}

std::optional<int> Unwritten::Since::first_write(unsigned block, int from) const {
  const Block &known = all_->blocks_[block];
  const auto found = llvm::lower_bound(known.writes, from);
  if (found != known.writes.end())
    return *found;
  const int last = static_cast<int>(known.instructions.size()) - 1;
  return is_on_stack_ && known.writes_stack && from <= last ? std::optional(last) : std::nullopt;
}

bool Unwritten::Since::is_clean(const Point &to) const {
  const std::optional<Point> last = last_clean(to);
  return last && last->index == to.index;
}

std::optional<Unwritten::Point> Unwritten::Since::last_clean(const Point &limit) const {
  const unsigned block = all_->number_of(limit.block);
  if (!is_behind_start(limit) && entered_[block] != clean)
    return std::nullopt;
  const std::optional<int> written = first_write(block, is_behind_start(limit) ? from_.index : 0);
  return Point{limit.block, written && *written < limit.index ? *written : limit.index};
}

llvm::SmallVector<Unwritten::Point, 4>
Unwritten::Since::first_writes(llvm::ArrayRef<Point> to) const {
  // From which blocks' ends one of them is reached, without the value being made anew.
  std::vector<bool> leads(all_->blocks_.size(), false);
  llvm::SmallVector<unsigned, 16> rest;
  const auto reach = [&](unsigned block) {
    for (const unsigned previous : all_->blocks_[block].previous)
      if (!leads[previous]) {
        leads[previous] = true;
        if (previous != start_)
          rest.push_back(previous);
      }
  };
  for (const Point &point : to)
    if (!is_behind_start(point))
      reach(all_->number_of(point.block));
  while (!rest.empty())
    reach(rest.pop_back_val());

  llvm::SmallVector<Point, 4> found;
  std::vector<bool> seen(all_->blocks_.size(), false);
  rest.push_back(start_);
  seen[start_] = true;
  while (!rest.empty()) {
    const unsigned block = rest.pop_back_val();
    const Block &known = all_->blocks_[block];
    if (const auto written = first_write(block, block == start_ ? from_.index : 0)) {
      const bool is_before_one = llvm::any_of(to, [&](const Point &point) {
        return point.block == known.block && point.index > *written;
      });
      if (leads[block] || is_before_one)
        found.push_back({known.block, *written});
      continue;
    }
    for (const unsigned next : known.next)
      if (!seen[next]) {
        seen[next] = true;
        rest.push_back(next);
      }
  }
  return found;
}

} // namespace culprit
