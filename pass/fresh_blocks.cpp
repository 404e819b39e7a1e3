// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/fresh_blocks.h"

#include "pass/hooks.h"
#include "pass/probes.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"

namespace culprit {

namespace {

constexpr uint64_t kLargestFresh = 2048; // well below what the runtime calls wide
constexpr unsigned kMaxBlocks = 16;      // on the way back: checks for null, mostly

bool may_make_point(const llvm::Instruction &instruction) {
  if (is_entry_probe(instruction))
    return true;
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call != nullptr && !llvm::isa<llvm::IntrinsicInst>(call);
}

std::optional<uint64_t> constant_argument(const llvm::CallBase &call, unsigned number) {
  if (number >= call.arg_size())
    return std::nullopt;
  const auto *value = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(number));
  if (value == nullptr || value->getValue().getActiveBits() > 32)
    return std::nullopt;
  return value->getZExtValue();
}

} // namespace

std::optional<uint64_t> constant_request(const llvm::CallBase &call) {
  const llvm::Function *library = called_library_function(call);
  if (library == nullptr)
    return std::nullopt;
  const llvm::StringRef name = library->getName();
  const std::optional<uint64_t> first = constant_argument(call, 0);
  if (name == "malloc" || name == "_Znwm" || name == "_Znam")
    return first;
  if (name != "calloc" || !first)
    return std::nullopt;
  const std::optional<uint64_t> second = constant_argument(call, 1);
  return second ? std::optional(*first * *second) : std::nullopt;
}

bool writes_fresh_block(const llvm::Instruction &instruction, const llvm::Value *address) {
  const auto *allocation =
      llvm::dyn_cast<llvm::CallBase>(llvm::getUnderlyingObject(address, /*MaxLookup=*/0));
  if (allocation == nullptr || constant_request(*allocation).value_or(~0ULL) > kLargestFresh)
    return false;
  const llvm::BasicBlock *block = instruction.getParent();
  const llvm::Instruction *at = instruction.getPrevNode();
  for (unsigned blocks = 0; blocks < kMaxBlocks; ++blocks) {
    for (; at != nullptr; at = at->getPrevNode()) {
      if (at == allocation)
        return true;
      if (may_make_point(*at))
        return false;
    }
    block = block->getSinglePredecessor();
    if (block == nullptr)
      return false;
    at = block->getTerminator();
  }
  return false;
}

} // namespace culprit
