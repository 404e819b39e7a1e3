// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See skipped_writes.h. What is written where is asked of the uses of its address; a call that is
// given it counts as a write.
#include "pass/locate/skipped_writes.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <optional>

namespace culprit {

namespace {

constexpr uint64_t kLargest = 4096; // bytes: those beyond hold buffers, and take long to mark

using Block = llvm::BasicBlock;

struct Written {
  SkippedWrites::Room room;
  llvm::SmallPtrSet<const Block *, 4> blocks;
};

bool writes(const llvm::Use &use) {
  const auto &user = *llvm::cast<llvm::Instruction>(use.getUser());
  if (llvm::isa<llvm::StoreInst>(user))
    return use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex();
  if (llvm::isa<llvm::AnyMemIntrinsic>(user))
    return use.getOperandNo() == 0;
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&user);
  return call != nullptr && call->isArgOperand(&use) && kind_of(*call) != CallKind::nothing &&
         kind_of(*call) != CallKind::computed;
}

llvm::SmallPtrSet<const Block *, 4> blocks_that_write(llvm::Value &room) {
  llvm::SmallPtrSet<const Block *, 4> found;
  llvm::SmallPtrSet<const llvm::Value *, 8> seen;
  llvm::SmallVector<llvm::Value *, 8> addresses = {&room};
  while (!addresses.empty())
    for (const llvm::Use &use : addresses.pop_back_val()->uses()) {
      auto *user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      if (user == nullptr)
        continue;
      if (llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::PHINode, llvm::SelectInst>(
              user)) {
        if (seen.insert(user).second)
          addresses.push_back(user);
      } else if (writes(use)) {
        found.insert(user->getParent());
      }
    }
  return found;
}

std::optional<SkippedWrites::Room> room_of(llvm::AllocaInst &local, const Plan &plan) {
  const Home home = plan.homes.lookup(&local);
  const auto size = local.getAllocationSize(local.getModule()->getDataLayout());
  if (plan.variables.lookup(&local) != 0 || (home != Home::split && home != Home::frame) || !size ||
      size->getFixedValue() > kLargest)
    return std::nullopt;
  return SkippedWrites::Room{&local, size->getFixedValue(), local.getAlign()};
}

std::optional<SkippedWrites::Room> room_of(llvm::Argument &argument) {
  if (!argument.hasStructRetAttr())
    return std::nullopt;
  const uint64_t size = argument.getParent()->getParent()->getDataLayout().getTypeAllocSize(
      argument.getParamStructRetType());
  if (size > kLargest)
    return std::nullopt;
  return SkippedWrites::Room{&argument, size, argument.getParamAlign().valueOrOne()};
}

std::vector<Written> find_rooms(llvm::Function &function, const Plan &plan) {
  std::vector<Written> found;
  const auto add = [&](std::optional<SkippedWrites::Room> room) {
    if (room)
      found.push_back({*room, blocks_that_write(*room->address)});
  };
  for (llvm::Argument &argument : function.args())
    add(room_of(argument));
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      add(room_of(*local, plan));
  return found;
}

// What may be executed between a block and where its ways meet. Ways that throw do not count.
llvm::SmallPtrSet<const Block *, 16> blocks_between(const Block &from, const Block *meeting) {
  llvm::SmallPtrSet<const Block *, 16> found;
  llvm::SmallVector<const Block *, 16> list = {&from};
  while (!list.empty()) {
    const llvm::Instruction *last = list.pop_back_val()->getTerminator();
    for (const Block *next : llvm::successors(last)) {
      const auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(last);
      const bool throws = invoke != nullptr && next == invoke->getUnwindDest();
      if (next != meeting && !throws && found.insert(next).second)
        list.push_back(next);
    }
  }
  return found;
}

bool has_ways(const Block &block) {
  const llvm::Instruction *last = block.getTerminator();
  return llvm::isa<llvm::BranchInst, llvm::SwitchInst, llvm::IndirectBrInst>(last) &&
         last->getNumSuccessors() > 1;
}

} // namespace

SkippedWrites::SkippedWrites(llvm::Function &function, const Plan &plan,
                             const PostDominators &post_dominators) {
  const std::vector<Written> rooms = find_rooms(function, plan);
  if (rooms.empty())
    return;
  const llvm::DominatorTree dominators(function);
  for (const Block &block : function) {
    if (!has_ways(block))
      continue;
    llvm::SmallVector<const Written *, 4> open;
    for (const Written &each : rooms)
      if (llvm::none_of(each.blocks,
                        [&](const Block *writer) { return dominators.dominates(writer, &block); }))
        open.push_back(&each);
    if (open.empty())
      continue;
    const auto between = blocks_between(block, post_dominators.of(&block));
    for (const Written *each : open)
      if (llvm::any_of(each->blocks, [&](const Block *writer) { return between.contains(writer); }))
        rooms_[&block].push_back(each->room);
  }
}

llvm::ArrayRef<SkippedWrites::Room> SkippedWrites::of(const Block *block) const {
  const auto found = rooms_.find(block);
  return found != rooms_.end() ? llvm::ArrayRef<Room>(found->second) : llvm::ArrayRef<Room>();
}

} // namespace culprit
