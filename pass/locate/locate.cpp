// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/locate.h"

#include "abi/features.h"
#include "abi/locate.h"
#include "pass/call_graph.h"
#include "pass/debug_types.h"
#include "pass/locate/aliases.h"
#include "pass/locate/assumptions.h"
#include "pass/locate/clean_copies.h"
#include "pass/locate/dead_ends.h"
#include "pass/locate/global_order.h"
#include "pass/locate/id_needs.h"
#include "pass/locate/layout.h"
#include "pass/locate/loop_weights.h"
#include "pass/locate/records.h"
#include "pass/locate/register_records.h"
#include "pass/locate/rewriter.h"
#include "pass/locate/short_circuits.h"
#include "pass/locate/spin_loops.h"
#include "pass/prepare.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/Local.h"

#include <memory>
#include <vector>

namespace culprit {

namespace {

// Variables that the source has, and what is written.
bool has_initial_definition(const llvm::GlobalVariable &global) {
  return !global.isDeclaration() && !global.hasAvailableExternallyLinkage() &&
         !global.hasAppendingLinkage() && !global.isThreadLocal() &&
         global.getAddressSpace() == 0 && global.getValueType()->isSized() &&
         !global.hasSection() && !global.getName().starts_with("llvm.") &&
         (!global.isConstant() || global.hasMetadata(llvm::LLVMContext::MD_dbg));
}

void define_globals(llvm::Module &module, LocateTables &tables) {
  for (llvm::GlobalVariable &global : module.globals()) {
    if (!has_initial_definition(global))
      continue;
    const uint64_t size = module.getDataLayout().getTypeAllocSize(global.getValueType());
    if (size == 0)
      continue;
    SourcePlace place{};
    std::string name = global.getName().split(".llvm.").first.str();
    llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> found;
    global.getDebugInfo(found);
    if (!found.empty()) {
      const llvm::DIGlobalVariable &source = *found.front()->getVariable();
      name = source.getName().str();
      place.file = path_of(source.getDirectory(), source.getFilename());
      place.function = function_around(source.getScope()).str();
      place.line = source.getLine();
      if (name.empty())
        continue; // a text
    }
    tables.add_global(global, size,
                      tables.add_definition({"global", std::move(place), std::move(name), "", {}}));
  }
}

// Functions that may be called again before they return. Whoever calls through a pointer may.
llvm::DenseSet<const llvm::Function *> find_recursive(llvm::Module &module) {
  llvm::DenseSet<const llvm::Function *> found;
  llvm::CallGraph graph(module);
  for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component)
    if (component.hasCycle())
      for (const llvm::CallGraphNode *node : *component)
        found.insert(node->getFunction());
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          call != nullptr && kind_of(*call) == CallKind::unknown)
        found.insert(&function);
  return found;
}

// Calls of a function that is one of these. What it calls besides (most of it will be inlined)
// takes little of the stack.
llvm::DenseSet<const llvm::CallBase *>
find_recursions(const llvm::Function &function,
                const llvm::DenseSet<const llvm::Function *> &recursive) {
  llvm::DenseSet<const llvm::CallBase *> found;
  for (const llvm::Instruction &instruction : llvm::instructions(function))
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        call != nullptr && kind_of(*call) == CallKind::seen &&
        recursive.contains(called_function(*call)))
      found.insert(call);
  return found;
}

void instrument(llvm::Module &module, unsigned features) {
  restore_global_order(module);
  drop_assumptions(module);
  take_records_apart(module);
  take_register_records_apart(module);
  LocateTables tables(module);
  define_globals(module, tables);
  Hooks hooks(module);
  std::unique_ptr<LayoutTable> layout;
  if ((features & CULPRIT_FEATURE_LAYOUT) != 0)
    layout = std::make_unique<LayoutTable>(module, hooks);
  const bool suppresses = (features & CULPRIT_FEATURE_SUPPRESS) != 0;
  DataStack stack(module, hooks, suppresses, layout.get());
  struct Planned {
    llvm::Function *function;
    Plan plan;
  };
  std::vector<Planned> planned;
  for (llvm::Function &function : module)
    if (is_seen(function)) {
      llvm::removeUnreachableBlocks(function);
      branch_by_parts(function);
    }
  mark_dead_ends(module);
  for (llvm::Function &function : module) {
    if (!is_seen(function))
      continue;
    if (!function.hasSection())
      function.setSection(CULPRIT_TEXT_SECTION);
    planned.push_back({&function, make_plan(function, tables)});
    if (layout != nullptr)
      layout->consider(function, planned.back().plan);
  }
  const llvm::DenseSet<const llvm::Function *> recursive = find_recursive(module);
  IdNeeds needs;
  for (Planned &each : planned) {
    if (layout != nullptr)
      layout->demote(*each.function, each.plan);
    stack.plan(*each.function);
    if (recursive.contains(each.function))
      each.plan.recursions = find_recursions(*each.function, recursive);
    if (each.function->getSection() == CULPRIT_TEXT_SECTION)
      needs.add(*each.function, each.plan);
  }
  needs.find();
  if ((features & CULPRIT_FEATURE_ORIGINS) != 0)
    for (Planned &each : planned)
      each.plan.unasked.clear(); // all may be of unwritten memory; the clock goes as in suppress
  IdCode code(module, tables, hooks, features);
  LibraryIds library(module, hooks);
  VariadicIds variadic(module, hooks);
  IdParameters parameters;
  for (Planned &each : planned) {
    if (suppresses)
      weigh_loops(*each.function);
    FunctionRewriter(*each.function, each.plan, code, library, variadic, parameters).rewrite();
    variadic.receive(*each.function);
    stack.move(*each.function);
    tell_runtime_variables_apart(*each.function);
  }
  tables.emit(features);
  if (layout != nullptr)
    layout->emit(tables);
  parameters.make(module); // after all that knows functions by the ones it replaces
  count_spinning_loops(module, hooks);
}

} // namespace

llvm::PreservedAnalyses LocatePass::run(llvm::Module &module,
                                        llvm::ModuleAnalysisManager &analyses) {
  const unsigned features = features_of(flavour_of(module));
  if ((features & CULPRIT_FEATURE_LOCATE) == 0)
    return llvm::PreservedAnalyses::all();
  take_flavour(module);
  take_main(module);
  instrument(module, features);
  analyses.invalidate(module, llvm::PreservedAnalyses::none());
  if (builder_ != nullptr) {
    llvm::ModulePassManager manager = builder_->buildModuleSimplificationPipeline(
        llvm::OptimizationLevel::O2, llvm::ThinOrFullLTOPhase::None);
    if ((features & CULPRIT_FEATURE_SUPPRESS) != 0) {
      manager.addPass(CleanCopiesPass());
      manager.addPass(
          llvm::createModuleToFunctionPassAdaptor(builder_->buildFunctionSimplificationPipeline(
              llvm::OptimizationLevel::O2, llvm::ThinOrFullLTOPhase::None)));
    }
    manager.run(module, analyses);
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace culprit
