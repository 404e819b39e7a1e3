// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/moved_globals.h"

#include "pass/locate/plan.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/ReplaceConstant.h"

#include <optional>

namespace culprit {

namespace {

constexpr uint64_t kLargest = uint64_t{64} << 20; // its image would be copied at every start

bool is_ours(const llvm::GlobalVariable &global) {
  return global.getName().starts_with("culprit.") || global.getName().starts_with("__culprit_") ||
         global.getName().starts_with("llvm.");
}

bool is_candidate(const llvm::GlobalVariable &global) {
  if (!global.hasLocalLinkage() || !global.hasInitializer() || global.isConstant() ||
      global.isThreadLocal() || global.hasSection() || global.getAddressSpace() != 0 ||
      global.isExternallyInitialized() || !global.getValueType()->isSized() || is_ours(global))
    return false;
  const uint64_t size = global.getParent()->getDataLayout().getTypeAllocSize(global.getValueType());
  return size != 0 && size <= kLargest;
}

// A global variable and how far behind its start.
struct Reference {
  llvm::GlobalVariable *global;
  int64_t offset;
};

std::optional<Reference> as_reference(llvm::Constant *constant, const llvm::DataLayout &layout) {
  if (const auto *cast = llvm::dyn_cast<llvm::ConstantExpr>(constant);
      cast != nullptr && cast->getOpcode() == llvm::Instruction::PtrToInt &&
      layout.getTypeSizeInBits(cast->getType()) == layout.getPointerSizeInBits())
    constant = cast->getOperand(0);
  if (!constant->getType()->isPointerTy())
    return std::nullopt;
  llvm::APInt offset(layout.getIndexTypeSizeInBits(constant->getType()), 0);
  auto *global = llvm::dyn_cast<llvm::GlobalVariable>(
      constant->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true));
  if (global == nullptr)
    return std::nullopt;
  return Reference{global, offset.getSExtValue()};
}

// Calls `found(reference, offset)` for every address of a variable in a value, and
// `strange(global)` for every variable that is in it in any other way.
template <class Found, class Strange>
void walk(llvm::Constant *value, uint64_t offset, const llvm::DataLayout &layout,
          const Found &found, const Strange &strange) {
  if (llvm::isa<llvm::ConstantData, llvm::Function>(value))
    return;
  if (const auto reference = as_reference(value, layout)) {
    found(*reference, offset);
    return;
  }
  if (auto *aggregate = llvm::dyn_cast<llvm::ConstantAggregate>(value)) {
    auto *structure = llvm::dyn_cast<llvm::StructType>(aggregate->getType());
    for (unsigned i = 0; i < aggregate->getNumOperands(); ++i) {
      llvm::Constant *element = aggregate->getOperand(i);
      const uint64_t step =
          structure != nullptr
              ? layout.getStructLayout(structure)->getElementOffset(i).getFixedValue()
              : i * layout.getTypeAllocSize(element->getType()).getFixedValue();
      walk(element, offset + step, layout, found, strange);
    }
    return;
  }
  llvm::SmallVector<llvm::Constant *> rest = {value};
  while (!rest.empty()) {
    llvm::Constant *each = rest.pop_back_val();
    if (auto *global = llvm::dyn_cast<llvm::GlobalVariable>(each))
      strange(global);
    else if (!llvm::isa<llvm::GlobalValue>(each))
      for (llvm::Value *operand : each->operands())
        if (auto *constant = llvm::dyn_cast<llvm::Constant>(operand))
          rest.push_back(constant);
  }
}

bool is_understood(const llvm::Instruction &user) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&user);
  return !llvm::isa<llvm::LandingPadInst, llvm::CallBrInst>(user) &&
         (call == nullptr || !call->isInlineAsm()) && is_seen(*user.getFunction());
}

// Instructions, and initial values of variables; nothing else.
bool are_uses_understood(const llvm::GlobalVariable &global) {
  llvm::SmallVector<const llvm::User *> users(global.user_begin(), global.user_end());
  llvm::DenseSet<const llvm::User *> seen;
  while (!users.empty()) {
    const llvm::User *user = users.pop_back_val();
    if (!seen.insert(user).second)
      continue;
    if (const auto *instruction = llvm::dyn_cast<llvm::Instruction>(user)) {
      if (!is_understood(*instruction))
        return false;
    } else if (const auto *holder = llvm::dyn_cast<llvm::GlobalVariable>(user)) {
      if (holder->isThreadLocal() || holder->hasSection() || holder->hasAppendingLinkage() ||
          holder->getName().starts_with("llvm."))
        return false;
    } else if (llvm::isa<llvm::GlobalValue>(user)) {
      return false;
    } else {
      users.append(user->user_begin(), user->user_end());
    }
  }
  return true;
}

} // namespace

std::vector<llvm::GlobalVariable *> movable_globals(llvm::Module &module) {
  llvm::DenseSet<const llvm::GlobalVariable *> strange;
  for (llvm::GlobalVariable &holder : module.globals())
    if (holder.hasInitializer())
      walk(
          holder.getInitializer(), 0, module.getDataLayout(), [](const Reference &, uint64_t) {},
          [&](const llvm::GlobalVariable *global) { strange.insert(global); });
  std::vector<llvm::GlobalVariable *> found;
  for (llvm::GlobalVariable &global : module.globals())
    if (is_candidate(global) && !strange.contains(&global) && are_uses_understood(global))
      found.push_back(&global);
  return found;
}

std::vector<MovedPointer> moved_pointers(llvm::Module &module,
                                         llvm::ArrayRef<llvm::GlobalVariable *> globals) {
  const llvm::DenseSet<const llvm::GlobalVariable *> moved(globals.begin(), globals.end());
  std::vector<MovedPointer> pointers;
  for (llvm::GlobalVariable &holder : module.globals()) {
    if (!holder.hasInitializer())
      continue;
    const size_t before = pointers.size();
    walk(
        holder.getInitializer(), 0, module.getDataLayout(),
        [&](const Reference &reference, uint64_t offset) {
          if (moved.contains(reference.global))
            pointers.push_back({&holder, offset, reference.global, reference.offset});
        },
        [](const llvm::GlobalVariable *) {});
    if (pointers.size() != before)
      holder.setConstant(false);
  }
  return pointers;
}

void look_up_globals(llvm::ArrayRef<llvm::GlobalVariable *> globals, llvm::GlobalVariable &table) {
  llvm::SmallVector<llvm::Constant *> constants(globals.begin(), globals.end());
  llvm::convertUsersOfConstantsToInstructions(constants);
  auto *pointer = llvm::PointerType::get(table.getContext(), 0);
  for (size_t i = 0; i < globals.size(); ++i) {
    llvm::DenseMap<llvm::Function *, llvm::Value *> homes;
    for (llvm::Use &use : llvm::make_early_inc_range(globals[i]->uses())) {
      auto *user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      if (user == nullptr)
        continue;
      llvm::Value *&home = homes[user->getFunction()];
      if (home == nullptr) {
        llvm::BasicBlock &entry = user->getFunction()->getEntryBlock();
        llvm::IRBuilder<> builder(&entry, entry.begin());
        home =
            builder.CreateLoad(pointer, builder.CreateConstGEP1_64(builder.getInt64Ty(), &table, i),
                               globals[i]->getName() + ".home");
        user->getFunction()->removeFnAttr(llvm::Attribute::Memory);
      }
      use.set(home);
    }
  }
}

} // namespace culprit
