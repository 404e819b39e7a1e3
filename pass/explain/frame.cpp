// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/explain/frame.h"

#include "abi/explain.h"
#include "pass/explain/temporaries.h"
#include "pass/locate/variable_names.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

#include <cstddef>

namespace culprit {

namespace {

constexpr uint64_t kCounterSize = 8;

bool is_movable(const llvm::AllocaInst &variable) {
  return variable.isStaticAlloca() && !variable.isSwiftError() && !variable.isUsedWithInAlloca() &&
         variable.getAllocatedType()->isSized() && variable.getAddressSpace() == 0 &&
         !variable.getAllocatedType()->isScalableTy();
}

} // namespace

Frame::Frame(llvm::Function &function) : function_(function) {
  auto *byte = llvm::Type::getInt8Ty(function.getContext());
  address_ = new llvm::AllocaInst(byte, 0, "culprit.frame", function.getEntryBlock().begin());
}

llvm::Value *Frame::counter(llvm::IRBuilder<> &builder, unsigned number) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), address_,
                                            sizeof(culprit_frame) + kCounterSize * number);
}

void Frame::stand_at(llvm::IRBuilder<> &builder, unsigned site) {
  static_assert(offsetof(culprit_frame, happened) == offsetof(culprit_frame, site) + 4);
  llvm::Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), address_,
                                                          offsetof(culprit_frame, site));
  builder.CreateStore(builder.getInt64(site), place);
}

llvm::GlobalVariable &Frame::make(unsigned counters, const ResultNames &results,
                                  ExplainTables &tables) {
  const llvm::DataLayout &layout = function_.getParent()->getDataLayout();
  const VariableNames names(function_);
  uint64_t size = sizeof(culprit_frame) + kCounterSize * counters;
  llvm::Align align(16);
  struct Moved {
    llvm::AllocaInst *variable;
    uint64_t offset;
  };
  std::vector<Moved> moved;
  std::vector<ExplainTables::Local> locals;
  for (llvm::Instruction &instruction : function_.getEntryBlock()) {
    auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable == nullptr || variable == address_ || !is_movable(*variable))
      continue;
    const uint64_t bytes = layout.getTypeAllocSize(variable->getAllocatedType()) *
                           llvm::cast<llvm::ConstantInt>(variable->getArraySize())->getZExtValue();
    if (size + bytes > INT32_MAX)
      continue;
    size = llvm::alignTo(size, variable->getAlign());
    align = std::max(align, variable->getAlign());
    moved.push_back({variable, size});
    const llvm::DILocalVariable *named = names.variable(*variable);
    if (bytes != 0)
      locals.push_back({named != nullptr ? named->getName().str() : results.lookup(variable),
                        static_cast<uint32_t>(size), static_cast<uint32_t>(bytes),
                        named != nullptr ? named->getType() : nullptr});
    size += bytes;
  }
  size = llvm::alignTo(size, align);

  llvm::BasicBlock &block = function_.getEntryBlock();
  llvm::IRBuilder<> builder(&block, block.begin());
  auto *type = llvm::ArrayType::get(builder.getInt8Ty(), size);
  auto *frame = builder.CreateAlloca(type, nullptr, "culprit.frame");
  frame->setAlignment(align);
  llvm::Instruction *zeroed = builder.CreateMemSet(frame, builder.getInt8(0), size, align);
  for (const Moved &each : moved) {
    llvm::Value *place =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), frame, each.offset);
    place->takeName(each.variable);
    each.variable->replaceAllUsesWith(place);
  }
  address_->replaceAllUsesWith(frame);
  // Only now: the builder stands before one of them.
  address_->eraseFromParent();
  for (const Moved &each : moved)
    each.variable->eraseFromParent();
  address_ = frame;
  entry_ = zeroed->getNextNode();
  return tables.add_function(function_, static_cast<uint32_t>(size), counters, locals);
}

} // namespace culprit
