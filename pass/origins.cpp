// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/origins.h"

#include "pass/call_graph.h"
#include "pass/sites.h"
#include "pass/source_place.h"
#include "pass/source_place.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <deque>

namespace culprit {

namespace {

constexpr size_t kMostOrigins = 6;
constexpr size_t kMostSteps = 96; // values looked at for one write
constexpr unsigned kMostBranches = 3;

// Code that came with the compiler or the system does what it is told.
bool is_of_system(const llvm::DISubprogram &subprogram) {
  llvm::SmallString<256> path(subprogram.getFilename());
  if (!llvm::sys::path::is_absolute(path)) {
    path = subprogram.getDirectory();
    llvm::sys::path::append(path, subprogram.getFilename());
  }
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.starts_with("/usr/include/") || path.starts_with("/usr/lib/");
}

// A function of another unit has a declaration in the debug information, which says in which header
// it is; what the compiler itself knows as the C library's has none.
bool calls_library(const llvm::CallBase &call) {
  const llvm::Function *function = called_function(call);
  if (function == nullptr || !function->isDeclaration())
    return false;
  if (const llvm::DISubprogram *subprogram = function->getSubprogram())
    return is_of_system(*subprogram);
  return function->getParent()->getNamedMetadata("llvm.dbg.cu") != nullptr;
}

// What an indirect call may call, where it calls through a variable of the program: what the
// variable begins with, then what is stored to it. Others may store to it, too; these are known.
std::vector<const llvm::Function *> functions_in(const llvm::Value *called) {
  std::vector<const llvm::Function *> functions;
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(called);
  const auto *variable =
      load == nullptr ? nullptr : llvm::dyn_cast<llvm::GlobalVariable>(load->getPointerOperand());
  if (variable == nullptr)
    return functions;
  const auto add = [&](const llvm::Value *value) {
    if (const auto *function = llvm::dyn_cast<llvm::Function>(value->stripPointerCasts()))
      functions.push_back(function);
  };
  if (variable->hasInitializer())
    add(variable->getInitializer());
  for (const llvm::User *user : variable->users())
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
        store != nullptr && store->getPointerOperand() == variable)
      add(store->getValueOperand());
  return functions;
}

class Walk {
public:
  explicit Walk(const llvm::Instruction &write) {
    for (const llvm::DILocation *location = write.getDebugLoc().get(); location != nullptr;
         location = location->getInlinedAt())
      own_.insert(location->getScope()->getSubprogram());
    own_.insert(write.getFunction()->getSubprogram());
  }

  void from(const llvm::Value *value) {
    enqueue(value);
    while (!queue_.empty() && names_.size() < kMostOrigins && steps_ < kMostSteps) {
      const llvm::Instruction *next = queue_.front();
      queue_.pop_front();
      ++steps_;
      visit(*next);
    }
    queue_.clear();
  }

  std::vector<std::string> names() && { return std::move(names_); }

private:
  void enqueue(const llvm::Value *value) {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction != nullptr && seen_.insert(instruction).second)
      queue_.push_back(instruction);
  }

  void visit(const llvm::Instruction &instruction) {
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        call != nullptr && !llvm::isa<llvm::IntrinsicInst>(call) && !call->isInlineAsm() &&
        !calls_library(*call)) {
      add(called_name(*call));
      for (const llvm::Function *function : functions_in(call->getCalledOperand()))
        add(source_name(*function));
    }
    // The innermost inlined function first, then those it is inlined into.
    for (const llvm::DILocation *location = instruction.getDebugLoc().get();
         location != nullptr && !own_.contains(location->getScope()->getSubprogram());
         location = location->getInlinedAt())
      if (!is_of_system(*location->getScope()->getSubprogram()))
        add(function_at(*location));
    for (const llvm::Value *operand : instruction.operands())
      enqueue(operand);
  }

  void add(llvm::StringRef name) {
    if (!name.empty() && names_.size() < kMostOrigins &&
        std::ranges::find(names_, name) == names_.end())
      names_.push_back(name.str());
  }

  llvm::DenseSet<const llvm::DISubprogram *> own_;
  llvm::DenseSet<const llvm::Instruction *> seen_;
  std::deque<const llvm::Instruction *> queue_;
  std::vector<std::string> names_;
  size_t steps_ = 0;
};

const llvm::Value *condition_of(const llvm::Instruction &terminator) {
  if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(&terminator))
    return branch->isConditional() ? branch->getCondition() : nullptr;
  if (const auto *choice = llvm::dyn_cast<llvm::SwitchInst>(&terminator))
    return choice->getCondition();
  return nullptr;
}

} // namespace

std::vector<std::string> origins_of_write(const llvm::Instruction &write,
                                          const llvm::DominatorTree &dominators) {
  Walk walk(write);
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&write)) {
    walk.from(store->getPointerOperand());
    walk.from(store->getValueOperand());
  } else {
    for (const llvm::Value *operand : write.operands())
      walk.from(operand);
  }
  const auto *node = dominators.getNode(write.getParent());
  unsigned branches = 0;
  while (node != nullptr && branches < kMostBranches) {
    node = node->getIDom();
    if (node == nullptr)
      break;
    const llvm::Value *condition = condition_of(*node->getBlock()->getTerminator());
    if (condition == nullptr)
      continue;
    walk.from(condition);
    ++branches;
  }
  return std::move(walk).names();
}

} // namespace culprit
