// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/sound_addresses.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace culprit {

namespace {

constexpr unsigned kDepth = 6;    // deeper computations are not compared
constexpr uint64_t kReach = 4096; // bytes: what is further away may be unmapped

bool only_copies(const llvm::CallBase &call) { return llvm::isa<llvm::IntrinsicInst>(call); }

} // namespace

void SoundAddresses::enter(const llvm::BasicBlock &block) {
  state_ = State();
  if (const llvm::BasicBlock *only = block.getSinglePredecessor())
    if (const auto found = ends_.find(only); found != ends_.end())
      state_ = found->second;
}

void SoundAddresses::leave(const llvm::BasicBlock &block) { ends_[&block] = std::move(state_); }

void SoundAddresses::pass(const llvm::Instruction &instruction) {
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (const auto *local = llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand());
        local != nullptr && becomes_register(*local)) {
      unsigned &version = state_.versions[local];
      if (version == 0)
        version = next_version_++;
      loaded_[load] = version;
    }
  } else if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (const auto *local = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand()))
      state_.versions[local] = next_version_++;
  } else if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
             call != nullptr && !only_copies(*call)) {
    state_.sound.clear();
  }
}

bool SoundAddresses::becomes_register(const llvm::AllocaInst &local) {
  const auto [known, is_new] = registers_.try_emplace(&local, false);
  if (is_new)
    known->second = llvm::isAllocaPromotable(&local);
  return known->second;
}

// False: it cannot be compared.
bool SoundAddresses::describe(std::string &text, const llvm::Value *value, unsigned depth) {
  if (depth > kDepth)
    return false;
  llvm::raw_string_ostream out(text);
  if (const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value)) {
    if (const unsigned version = loaded_.lookup(instruction)) {
      out << '@' << version;
      return true;
    }
    if (llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::BinaryOperator>(instruction)) {
      out << instruction->getOpcode() << ':' << instruction->getType();
      if (const auto *step = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction))
        out << step->getSourceElementType();
      out << '(';
      for (const llvm::Value *operand : instruction->operands()) {
        if (!describe(text, operand, depth + 1))
          return false;
        out << ',';
      }
      out << ')';
      return true;
    }
  }
  out << value;
  return true;
}

bool SoundAddresses::meet(const llvm::Value *address, uint64_t size) {
  llvm::APInt offset(layout_.getIndexTypeSizeInBits(address->getType()), 0);
  const llvm::Value *base =
      address->stripAndAccumulateConstantOffsets(layout_, offset, /*AllowNonInbounds=*/true);
  if (offset.isNegative() || offset.getActiveBits() > 32 || offset.getZExtValue() + size > kReach)
    return false;
  std::string text;
  if (!describe(text, base, 0))
    return false;
  return !state_.sound.insert(text).second;
}

} // namespace culprit
