// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/probes.h"

#include "abi/features.h"
#include "pass/hooks.h"
#include "pass/work_reach.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <optional>

namespace culprit {

namespace {

// "culprit\0" as a little-endian number. A function's own GUID is the start of an MD5 sum.
constexpr uint64_t kGuid = 0x0074697270'6c7563ULL;
constexpr uint64_t kFullFactor = ~0ULL; // "this probe was not copied partially"

// The probe's index says what its function does. The optimiser shall see the same code in all
// flavours, or the same place in the source would be another site in some, and the same run would
// have other metric points. So each flavour has the probes that any needs, and those it does not
// count are told apart afterwards, wherever they were inlined.
enum Kind : uint64_t { works_on_heap = 1, only_writes = 2 };

Kind kind_of(const llvm::Instruction &probe) {
  return static_cast<Kind>(llvm::cast<llvm::PseudoProbeInst>(probe).getIndex()->getZExtValue());
}

std::optional<Kind> kind_for(const llvm::Function &function, const WorkReach &heap,
                             const WorkReach &writing) {
  if (function.isDeclaration() || function.hasFnAttribute(llvm::Attribute::Naked))
    return std::nullopt;
  if (heap.does_work(function))
    return works_on_heap;
  return writing.does_work(function) ? std::optional(only_writes) : std::nullopt;
}

} // namespace

llvm::PreservedAnalyses ProbePass::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  const WorkReach heap(module, CULPRIT_FEATURE_HEAP);
  const WorkReach writing(module, CULPRIT_FEATURE_COUNTS);
  for (llvm::Function &function : module) {
    const std::optional<Kind> kind = kind_for(function, heap, writing);
    if (!kind)
      continue;
    llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    if (llvm::DISubprogram *subprogram = function.getSubprogram())
      builder.SetCurrentDebugLocation(
          llvm::DILocation::get(module.getContext(), subprogram->getScopeLine(), 0, subprogram));
    builder.CreateIntrinsic(llvm::Intrinsic::pseudoprobe, {},
                            {builder.getInt64(kGuid), builder.getInt64(*kind), builder.getInt32(0),
                             builder.getInt64(kFullFactor)});
  }
  return llvm::PreservedAnalyses::none();
}

bool is_entry_probe(const llvm::Instruction &instruction) {
  const auto *probe = llvm::dyn_cast<llvm::PseudoProbeInst>(&instruction);
  return probe != nullptr && probe->getFuncGuid()->getZExtValue() == kGuid;
}

void drop_idle_probes(llvm::Module &module, unsigned features) {
  const bool is_asked_for = (features & (CULPRIT_FEATURE_HEAP | CULPRIT_FEATURE_COUNTS)) != 0;
  const bool is_heap_only = (features & CULPRIT_FEATURE_HEAP) != 0;
  const WorkReach reach(module, features);
  for (llvm::Function &function : module) {
    const bool works = is_asked_for && reach.does_work(function);
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : llvm::make_early_inc_range(block))
        if (is_entry_probe(instruction) &&
            (!works || (is_heap_only && kind_of(instruction) != works_on_heap)))
          instruction.eraseFromParent();
  }
}

std::vector<BlockEntries> gather_probes(llvm::Function &function) {
  std::vector<BlockEntries> entries;
  for (llvm::BasicBlock &block : function) {
    bool is_first = true;
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(block)) {
      if (!is_entry_probe(instruction))
        continue;
      if (is_first)
        entries.push_back({&instruction, 0});
      else
        instruction.eraseFromParent();
      ++entries.back().count;
      is_first = false;
    }
  }
  return entries;
}

void lower_probes(llvm::ArrayRef<BlockEntries> entries, Hooks &hooks) {
  for (auto [probe, count] : entries) {
    llvm::MDNode *rarely = llvm::MDBuilder(probe->getContext()).createUnlikelyBranchWeights();
    llvm::IRBuilder<> builder(probe);
    llvm::Value *address = builder.CreateThreadLocalAddress(hooks.countdown());
    llvm::Value *left =
        builder.CreateSub(Hooks::unsanitized(builder.CreateLoad(builder.getInt64Ty(), address)),
                          builder.getInt64(count));
    Hooks::unsanitized(builder.CreateStore(left, address));
    llvm::Value *due = builder.CreateICmpSLT(left, builder.getInt64(0));
    llvm::Instruction *then =
        llvm::SplitBlockAndInsertIfThen(due, probe, /*Unreachable=*/false, rarely);
    builder.SetInsertPoint(then);
    hooks.call(builder, Hooks::work_done, {});
    probe->eraseFromParent();
  }
}

} // namespace culprit
