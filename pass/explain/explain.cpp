// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/explain/explain.h"

#include "abi/features.h"
#include "pass/explain/carried_regions.h"
#include "pass/explain/indexing.h"
#include "pass/explain/rewriter.h"
#include "pass/explain/tables.h"
#include "pass/locate/assumptions.h"
#include "pass/locate/global_order.h"
#include "pass/prepare.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Local.h"

namespace culprit {

namespace {

// std::cin and its kin are not to buffer beside the C library's streams: what they have read ahead
// would be out of sight (runtime/explain/streams.h).
void keep_streams_synchronised(llvm::Module &module) {
  llvm::Function *synchronise = module.getFunction("_ZNSt8ios_base15sync_with_stdioEb");
  if (synchronise == nullptr || !synchronise->isDeclaration())
    return;
  for (llvm::User *user : synchronise->users())
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(user);
        call != nullptr && call->getCalledFunction() == synchronise && call->arg_size() == 1)
      call->setArgOperand(0, llvm::ConstantInt::getTrue(call->getArgOperand(0)->getType()));
}

bool calls_the_program(const llvm::Function &function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction &instruction) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function *callee = call == nullptr ? nullptr : call->getCalledFunction();
    return callee != nullptr && is_explained(*callee);
  });
}

// At -O2 the compiler keeps a copy of each function of a library that a header shows
// (std::string's), to look into. What such a copy has on the stack is out of sight, so no point may
// lie below it: those that call functions which are the program's are left to the library.
void leave_bodies_to_libraries(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (function.hasAvailableExternallyLinkage() && calls_the_program(function))
      function.deleteBody();
}

void instrument(llvm::Module &module) {
  restore_global_order(module);
  keep_streams_synchronised(module);
  drop_assumptions(module); // a run whose memory is replaced at a point keeps none of them
  ExplainTables tables(module);
  Hooks hooks(module);
  LibraryCalls library(module);
  llvm::SmallVector<llvm::Function *> functions;
  for (llvm::Function &function : module)
    if (is_explained(function))
      functions.push_back(&function);
  for (llvm::Function *function : functions) {
    llvm::removeUnreachableBlocks(*function);
    ExplainRewriter(*function, tables, hooks, library).rewrite();
  }
  tables.emit();
}

} // namespace

llvm::PreservedAnalyses ExplainPass::run(llvm::Module &module,
                                         llvm::ModuleAnalysisManager &analyses) {
  const unsigned features = features_of(flavour_of(module));
  if ((features & (CULPRIT_FEATURE_EXPLAIN | CULPRIT_FEATURE_INDEX)) == 0)
    return llvm::PreservedAnalyses::all();
  take_flavour(module);
  if (!take_main(module))
    return llvm::PreservedAnalyses::all(); // a shared object: not seen so far
  leave_bodies_to_libraries(module);
  if ((features & CULPRIT_FEATURE_ONLINE) != 0) {
    // Pointers in registers have no cells; neither calls nor cycles change.
    llvm::ModulePassManager promote;
    promote.addPass(
        llvm::createModuleToFunctionPassAdaptor(llvm::SROAPass(llvm::SROAOptions::PreserveCFG)));
    promote.run(module, analyses);
    carry_regions(module);
  }
  if ((features & CULPRIT_FEATURE_INDEX) != 0)
    instrument_indexing(module, (features & CULPRIT_FEATURE_WHOLE) != 0);
  else
    instrument(module);
  analyses.invalidate(module, llvm::PreservedAnalyses::none());
  if (builder_ != nullptr)
    builder_
        ->buildModuleSimplificationPipeline(llvm::OptimizationLevel::O2,
                                            llvm::ThinOrFullLTOPhase::None)
        .run(module, analyses);
  return llvm::PreservedAnalyses::none();
}

} // namespace culprit
