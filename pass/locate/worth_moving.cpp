// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/worth_moving.h"

#include "pass/call_graph.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

namespace culprit {

namespace {

const llvm::Value *variable_of(const llvm::Value *address) {
  const llvm::Value *base = llvm::getUnderlyingObject(address);
  return llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(base) ? base : nullptr;
}

bool starts_threads(const llvm::Module &module) {
  return llvm::any_of(module.functions(), [](const llvm::Function &function) {
    return function.isDeclaration() &&
           (function.getName() == "pthread_create" || function.getName() == "thrd_create" ||
            function.getName().contains("_M_start_thread") || function.getName() == "clone");
  });
}

} // namespace

bool is_buffer(const llvm::Type &type) { return type.isAggregateType(); }

void add_address_variables(const Plan &plan, llvm::DenseSet<const llvm::Value *> &variables) {
  for (const auto &[instruction, place] : plan.places)
    for (const Leaf &leaf : place.leaves) {
      if (leaf.role != "base" && leaf.role != "index" && leaf.role != "pointer")
        continue;
      if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(leaf.value))
        if (const llvm::Value *variable = variable_of(load->getPointerOperand()))
          variables.insert(variable);
    }
}

llvm::DenseSet<const llvm::Function *> alone(llvm::Module &module) {
  if (starts_threads(module))
    return {};
  // Whatever code that is not seen, or a pointer, can call, and all it calls.
  llvm::DenseSet<const llvm::Function *> several;
  llvm::SmallVector<const llvm::Function *> rest;
  auto add = [&](const llvm::Function &function) {
    if (several.insert(&function).second)
      rest.push_back(&function);
  };
  for (const llvm::Function &function : module)
    if (function.hasAddressTaken() || (!function.hasLocalLinkage() && function.getName() != "main"))
      add(function);
  while (!rest.empty())
    for (const llvm::Instruction &instruction : llvm::instructions(*rest.pop_back_val()))
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (const llvm::Function *callee = called_here(*call))
          add(*callee);
  llvm::CallGraph graph(module);
  for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component)
    if (component.hasCycle())
      for (const llvm::CallGraphNode *node : *component)
        if (node->getFunction() != nullptr)
          several.insert(node->getFunction());
  llvm::DenseSet<const llvm::Function *> found;
  for (const llvm::Function &function : module)
    if (!function.isDeclaration() && !several.contains(&function))
      found.insert(&function);
  return found;
}

} // namespace culprit
