// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See returned_variables.h.
#include "pass/locate/returned_variables.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace culprit {

namespace {

// Debug information calls by the variable's name where the caller wants the result, or, if it has a
// destructor, the variable that this address is put into.
const llvm::AllocaInst *holder_of(const llvm::Argument &place) {
  for (const llvm::User *user : place.users())
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
        store != nullptr && store->getValueOperand() == &place)
      if (const auto *holder = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand()))
        return holder;
  return nullptr;
}

} // namespace

llvm::SmallVector<ReturnedVariable, 1> returned_variables(llvm::Function &function) {
  llvm::SmallVector<ReturnedVariable, 1> found;
  llvm::Argument *place = nullptr;
  for (llvm::Argument &argument : function.args())
    if (argument.hasStructRetAttr())
      place = &argument;
  if (place == nullptr)
    return found;
  const llvm::AllocaInst *holder = holder_of(*place);
  const auto note = [&](llvm::Instruction &from, const llvm::Value *named,
                        const llvm::DILocalVariable &variable) {
    if (named != nullptr && (named == place || named == holder) && !variable.isParameter() &&
        !llvm::isa<llvm::PHINode>(from))
      found.push_back({&from, &variable, place});
  };
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    for (llvm::DbgVariableRecord &record : llvm::filterDbgVars(instruction.getDbgRecordRange()))
      if (record.isDbgDeclare() && record.getNumVariableLocationOps() == 1)
        note(instruction, record.getVariableLocationOp(0), *record.getVariable());
    if (const auto *declared = llvm::dyn_cast<llvm::DbgDeclareInst>(&instruction))
      note(instruction, declared->getAddress(), *declared->getVariable());
  }
  return found;
}

} // namespace culprit
