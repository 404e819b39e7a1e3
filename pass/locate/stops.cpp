// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that do not return. What is shown there are the leaves of the branches that led there;
// where several ways do (reasons.h), which ones is known by phis, and the ids are kept in variables
// where each part is decided: they need not be there on all ways. A function that gives up for its
// caller (dead_ends.h) shows what was shown when it was called.
#include "pass/locate/rewriter.h"

#include "abi/locate.h"

#include "llvm/IR/CFG.h"

namespace culprit {

void FunctionRewriter::call_stop(llvm::CallBase &call) {
  if (plan_.stops.contains(&call))
    return; // when all is known
  Builder builder(&call);
  if (plan_.stops_of_caller.contains(&call)) {
    code_.show_place(builder, caller_.number, caller_.ids);
    return;
  }
  show(builder, call);
}

void FunctionRewriter::give_rooms_to_parts() {
  llvm::BasicBlock &entry = function_.getEntryBlock();
  Builder builder(&entry, entry.begin());
  for (const auto &[call, stop] : plan_.stops)
    for (const PlannedStop::Part &part : stop.parts)
      if (auto &[leaves, rooms] = parts_[part.block]; rooms.empty())
        for (const Leaf &leaf : part.leaves) {
          leaves.push_back(leaf.value);
          rooms.push_back(builder.CreateAlloca(builder.getInt64Ty()));
        }
}

// Before anything else is shown.
void FunctionRewriter::keep_caller(Builder &builder) {
  if (plan_.stops_of_caller.empty())
    return;
  caller_.number = builder.CreateLoad(builder.getInt32Ty(),
                                      code_.variable(CULPRIT_PLACE_SYMBOL, builder.getInt32Ty()),
                                      /*isVolatile=*/true);
  llvm::GlobalVariable *leaves = code_.variable(
      CULPRIT_LEAVES_SYMBOL, llvm::ArrayType::get(builder.getInt64Ty(), CULPRIT_LEAVES));
  for (unsigned i = 0; i < CULPRIT_LEAVES; ++i)
    caller_.ids.push_back(builder.CreateLoad(
        builder.getInt64Ty(), builder.CreateConstGEP1_64(builder.getInt64Ty(), leaves, i),
        /*isVolatile=*/true));
}

void FunctionRewriter::keep_part(llvm::Instruction &terminator) {
  const auto found = parts_.find(origins_.lookup(&terminator));
  if (found == parts_.end())
    return;
  Builder builder(&terminator);
  for (const auto &[leaf, room] : llvm::zip(found->second.leaves, found->second.rooms))
    builder.CreateStore(id_of(leaf), room);
}

// The program's block that leads here; null: none does by itself.
const llvm::BasicBlock *FunctionRewriter::origin_of(const llvm::BasicBlock *before) const {
  return jumps_.contains(before) ? nullptr : origins_.lookup(before->getTerminator());
}

// The number of the place for the way that has led to a node's block, and on to the stop.
llvm::Value *FunctionRewriter::number_of_way(const Reasons &reasons, int node) {
  llvm::Type *type = llvm::Type::getInt32Ty(function_.getContext());
  const Reason &reason = reasons.ways[node];
  llvm::Constant *own = llvm::ConstantInt::get(type, reason.place);
  if (reason.children.empty())
    return own;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::Value *> from;
  for (const int child : reason.children)
    from[reasons.ways[child].block] = number_of_way(reasons, child);
  llvm::PHINode *number = llvm::PHINode::Create(type, 2, "", reason.block->begin());
  for (llvm::BasicBlock *before : llvm::predecessors(reason.block)) {
    llvm::Value *known = from.lookup(origin_of(before));
    number->addIncoming(known != nullptr ? known : own, before);
  }
  return number;
}

// Where nothing but the stop follows, the number is that of the way in.
llvm::Value *FunctionRewriter::number_of_stop(const Reasons &reasons, unsigned unknown) {
  llvm::Type *type = llvm::Type::getInt32Ty(function_.getContext());
  llvm::DenseMap<const llvm::BasicBlock *, llvm::PHINode *> numbers;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::Value *> from;
  for (llvm::BasicBlock *block : reasons.inevitable)
    numbers[block] = llvm::PHINode::Create(type, 2, "", block->begin());
  for (llvm::BasicBlock *block : reasons.inevitable)
    for (llvm::BasicBlock *before : llvm::predecessors(block)) {
      const llvm::BasicBlock *origin = origin_of(before);
      llvm::Value *&known = from[origin];
      if (known == nullptr) {
        const int node = origin != nullptr ? reasons.last_part(origin) : -1;
        known = llvm::ConstantInt::get(type, unknown);
        if (node >= 0)
          known = number_of_way(reasons, node);
        else if (llvm::PHINode *same = numbers.lookup(origin))
          known = same;
      }
      numbers.lookup(block)->addIncoming(known, before);
    }
  return numbers.lookup(reasons.end);
}

void FunctionRewriter::show_stops() {
  for (const auto &[call, stop] : plan_.stops) {
    llvm::Value *number = number_of_stop(stop.reasons, plan_.places.find(call)->second.number);
    Builder builder(call);
    llvm::SmallVector<llvm::Value *, CULPRIT_LEAVES> ids;
    for (const Reason &way : stop.reasons.ways) {
      llvm::Value *is_this = builder.CreateICmpEQ(number, builder.getInt32(way.place));
      size_t leaf = 0;
      for (const llvm::BasicBlock *part : way.deciding)
        for (llvm::AllocaInst *room : parts_.lookup(part).rooms) {
          if (leaf == CULPRIT_LEAVES)
            break;
          if (ids.size() == leaf)
            ids.push_back(code_.number(0));
          ids[leaf] = builder.CreateSelect(is_this, builder.CreateLoad(builder.getInt64Ty(), room),
                                           ids[leaf]);
          ++leaf;
        }
    }
    code_.show_place(builder, number, ids);
  }
}

} // namespace culprit
