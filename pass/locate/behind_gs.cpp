// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/behind_gs.h"

#include "abi/locate.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

#include <optional>

namespace culprit {

namespace {

constexpr unsigned kBehindGs = 256; // LLVM's address space of what gs is the base of

// Where a cell or a stain is: so far from the shadow's base.
struct Offset {
  llvm::Value *variable = nullptr;
  int64_t constant = 0;
};

std::optional<Offset> offset_of(const llvm::IntToPtrInst &address) {
  const auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(address.getOperand(0));
  const auto *base =
      sum != nullptr ? llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1)) : nullptr;
  if (base == nullptr || !base->getType()->isIntegerTy(64) || address.getAddressSpace() != 0)
    return std::nullopt;
  const auto *disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(sum);
  if (sum->getOpcode() != llvm::Instruction::Add &&
      (disjoint == nullptr || !disjoint->isDisjoint()))
    return std::nullopt;
  const auto constant = static_cast<int64_t>(base->getZExtValue() - CULPRIT_SHADOW_BASE);
  if (!llvm::isInt<24>(constant)) // far from it: no address of ours
    return std::nullopt;
  return Offset{sum->getOperand(0), constant};
}

struct Access {
  llvm::Use *address;
  int64_t step; // behind the cell
};

// All that is accessed by an address; false: it is used otherwise, too.
bool find_accesses(llvm::Value &address, int64_t step, llvm::SmallVectorImpl<Access> &found) {
  for (llvm::Use &use : address.uses()) {
    llvm::User *user = use.getUser();
    if (auto *next = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
      const llvm::DataLayout &layout = next->getModule()->getDataLayout();
      llvm::APInt bytes(layout.getIndexTypeSizeInBits(next->getType()), 0);
      if (use.getOperandNo() != 0 || !next->accumulateConstantOffset(layout, bytes) ||
          !llvm::isInt<24>(bytes.getSExtValue()) ||
          !find_accesses(*next, step + bytes.getSExtValue(), found))
        return false;
      continue;
    }
    const llvm::Value *accessed = llvm::getLoadStorePointerOperand(user);
    const bool is_value = llvm::isa<llvm::StoreInst>(user) && use.getOperandNo() == 0;
    if (accessed == nullptr || is_value)
      return false;
    found.push_back({&use, step});
  }
  return true;
}

bool address_by_gs(llvm::Function &function) {
  llvm::SmallVector<llvm::IntToPtrInst *, 32> addresses;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *address = llvm::dyn_cast<llvm::IntToPtrInst>(&instruction))
      addresses.push_back(address);
  bool changed = false;
  for (llvm::IntToPtrInst *address : addresses) {
    const std::optional<Offset> offset = offset_of(*address);
    llvm::SmallVector<Access, 4> accesses;
    if (!offset || !find_accesses(*address, 0, accesses))
      continue;
    for (const Access &access : accesses) {
      llvm::IRBuilder<> builder(llvm::cast<llvm::Instruction>(access.address->getUser()));
      llvm::Value *number = offset->variable;
      if (const int64_t constant = offset->constant + access.step; constant != 0)
        number = builder.CreateAdd(number, builder.getInt64(static_cast<uint64_t>(constant)));
      llvm::Value *old = access.address->get();
      access.address->set(builder.CreateIntToPtr(number, builder.getPtrTy(kBehindGs)));
      llvm::RecursivelyDeleteTriviallyDeadInstructions(old);
      changed = true;
    }
  }
  return changed;
}

} // namespace

llvm::PreservedAnalyses BehindGsPass::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  bool changed = false;
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && function.getSection() == CULPRIT_TEXT_SECTION)
      changed |= address_by_gs(function);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace culprit
