// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/explain/shape.h"

#include "pass/source_place.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace culprit {

namespace {

std::string variable_at(const llvm::Value &address, const VariableNames &names) {
  const llvm::Value *object = llvm::getUnderlyingObject(&address);
  if (const auto *local = llvm::dyn_cast<llvm::AllocaInst>(object)) {
    const llvm::DILocalVariable *variable = names.variable(*local);
    return variable != nullptr ? variable->getName().str() : "local";
  }
  if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(object))
    return global->hasPrivateLinkage() ? "text" : global->getName().split(".llvm.").first.str();
  return "*";
}

std::string callee_of(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  return callee != nullptr ? source_name(*callee).str() : "?";
}

std::string call_part(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (call == nullptr || llvm::isa<llvm::IntrinsicInst>(call))
    return "";
  const std::string callee = callee_of(*call);
  return llvm::StringRef(callee).starts_with("__culprit_") ? "" : "call " + callee;
}

std::string part_of(const llvm::Instruction &instruction, const VariableNames &names) {
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return "r " + variable_at(*load->getPointerOperand(), names);
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return "w " + variable_at(*store->getPointerOperand(), names);
  if (llvm::isa<llvm::ReturnInst, llvm::SwitchInst>(instruction) ||
      (llvm::isa<llvm::BranchInst>(instruction) && instruction.getNumSuccessors() > 1))
    return instruction.getOpcodeName();
  return call_part(instruction);
}

// Of all instructions of the statement: as far as the line goes to both sides.
template <typename Part> std::string joined(const llvm::Instruction &inside, const Part &part) {
  const auto line_of = [](const llvm::Instruction &instruction) {
    return instruction.getDebugLoc() ? instruction.getDebugLoc().getLine() : 0;
  };
  const unsigned line = line_of(inside);
  const auto belongs = [&](const llvm::Instruction &instruction) {
    return line_of(instruction) == 0 || line_of(instruction) == line;
  };
  const llvm::Instruction *first = &inside;
  while (first->getPrevNode() != nullptr && belongs(*first->getPrevNode()))
    first = first->getPrevNode();
  std::string shape;
  for (const llvm::Instruction *each = first; each != nullptr && belongs(*each);
       each = each->getNextNode())
    if (const std::string one = part(*each); !one.empty())
      shape += one + ";";
  return shape;
}

} // namespace

std::string shape_of(const llvm::Instruction &inside, const VariableNames &names) {
  return joined(inside, [&](const llvm::Instruction &each) { return part_of(each, names); });
}

std::string calls_of(const llvm::Instruction &inside) { return joined(inside, call_part); }

} // namespace culprit
