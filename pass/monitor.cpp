// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/monitor.h"

#include "abi/monitor.h"
#include "abi/pass_options.h"
#include "pass/allocation_reach.h"
#include "pass/barrier.h"
#include "pass/block_types.h"
#include "pass/contexts.h"
#include "pass/free_wrappers.h"
#include "pass/hooks.h"
#include "pass/library_calls.h"
#include "pass/origins.h"
#include "pass/prepare.h"
#include "pass/probes.h"
#include "pass/sites.h"
#include "pass/work_reach.h"
#include "pass/wrappers.h"
#include "pass/writes.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

#include <optional>

namespace culprit {

namespace {

// The flavour the module was prepared for, taken out of it: what is instrumented once stays so.
std::string take_flavour(llvm::Module &module) {
  llvm::NamedMDNode *node = module.getNamedMetadata(CULPRIT_FLAVOUR_METADATA);
  if (node == nullptr)
    return "";
  std::string flavour;
  if (node->getNumOperands() > 0 && node->getOperand(0)->getNumOperands() > 0)
    if (const auto *name = llvm::dyn_cast<llvm::MDString>(node->getOperand(0)->getOperand(0)))
      flavour = name->getString().str();
  node->eraseFromParent();
  return flavour;
}

bool is_changed(const llvm::Function &function) {
  return !function.isDeclaration() && !function.hasAvailableExternallyLinkage() &&
         !function.hasFnAttribute(llvm::Attribute::Naked) && !is_ifunc_resolver(function);
}

// A call that gives a block back, itself or through others.
struct FreeCall {
  llvm::CallBase *call;
  llvm::Value *block;
  SiteTable::Handle site;
  bool is_free;     // of the library's; else of a function that calls it for others
  bool is_for_self; // not within such a function
};

struct Plan {
  llvm::Function *function;
  std::vector<ContextCall> context_calls;
  std::vector<llvm::CallBase *> calls; // all but intrinsics
  std::vector<Write> writes;
  std::vector<SiteTable::Handle> write_sites; // beside writes
  std::vector<FreeCall> frees;
};

class Unit {
public:
  Unit(llvm::Module &module, bool blames)
      : module_(module), blames_(blames), hooks_(module), library_(module),
        reach_(module, library_), sites_(module), wrappers_(module), free_wrappers_(module) {}

  void instrument() {
    drop_idle_probes(module_);
    std::vector<Plan> plans;
    for (llvm::Function &function : module_)
      if (is_changed(function))
        plans.push_back(make_plan(function));
    for (const Plan &plan : plans)
      carry_out(plan);
    forget_attributes();
    sites_.emit();
    auto *flag = llvm::Type::getInt8Ty(module_.getContext());
    module_.getOrInsertGlobal(CULPRIT_MONITOR_SYMBOL, flag, [&] {
      return new llvm::GlobalVariable(module_, flag, /*isConstant=*/true,
                                      llvm::GlobalValue::WeakAnyLinkage,
                                      llvm::ConstantInt::get(flag, 1), CULPRIT_MONITOR_SYMBOL);
    });
  }

private:
  Plan make_plan(llvm::Function &function) {
    Plan plan{&function, find_context_calls(function, reach_, wrappers_, sites_), {}, {}, {}, {}};
    for (const ContextCall &call : plan.context_calls)
      name_block_types(call, sites_);
    const llvm::DominatorTree dominators(function);
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block) {
        if (const auto write = heap_write(instruction, module_.getDataLayout())) {
          plan.writes.push_back(*write);
          plan.write_sites.push_back(sites_.add(SiteKind::store, instruction, ""));
          Site &site = sites_[plan.write_sites.back()];
          if (site.from.empty())
            site.from = origins_of_write(instruction, dominators);
        }
        auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (call == nullptr || llvm::isa<llvm::IntrinsicInst>(call))
          continue;
        plan.calls.push_back(call);
        if (const auto freed = free_call(*call))
          plan.frees.push_back(*freed);
      }
    return plan;
  }

  std::optional<FreeCall> free_call(llvm::CallBase &call) {
    const llvm::Function *library = called_library_function(call);
    const llvm::StringRef name = library != nullptr ? library->getName() : called_name(call);
    const bool frees = library != nullptr && is_free(name);
    const auto argument = frees ? std::optional(0U) : free_wrappers_.freed_argument(name);
    if (!argument || *argument >= call.arg_size())
      return std::nullopt;
    const SiteTable::Handle site = sites_.add(SiteKind::free, call, name);
    const bool for_self = free_wrappers_.charge_to_caller(sites_[site]);
    return FreeCall{&call, call.getArgOperand(*argument), site, frees, for_self};
  }

  // The order matters: the barrier looks for calls and must not take ours for the program's.
  void carry_out(const Plan &plan) {
    const std::vector<BlockEntries> entries = gather_probes(*plan.function);
    if (!plan.context_calls.empty())
      insert_contexts(*plan.function, plan.context_calls, sites_, hooks_);
    insert_barriers(*plan.function, plan.writes, hooks_);
    for (llvm::CallBase *call : plan.calls)
      library_.insert_marks(*call, hooks_);
    if (blames_)
      insert_blame(plan);
    for (llvm::CallBase *call : plan.calls)
      if (is_allocation(*call))
        hooks_.replace_allocation(*call);
    lower_probes(entries, hooks_);
  }

  void insert_blame(const Plan &plan) {
    for (size_t i = 0; i < plan.writes.size(); ++i) {
      const Write &write = plan.writes[i];
      if (!write.address->getType()->isPointerTy())
        continue; // a scatter: its card is marked, its writer stays unknown
      llvm::IRBuilder<> builder(write.at);
      llvm::Value *length = write.length != nullptr
                                ? builder.CreateZExtOrTrunc(write.length, builder.getInt64Ty())
                                : builder.getInt64(write.size);
      llvm::Value *site = sites_.runtime_number(builder, plan.write_sites[i]);
      hooks_.call(builder, Hooks::blame_before, {write.address, length, site});
      builder.SetInsertPoint(write.at->getNextNode());
      builder.SetCurrentDebugLocation(write.at->getDebugLoc());
      hooks_.call(builder, Hooks::blame_after, {write.address, length, site});
    }
    for (const FreeCall &freed : plan.frees) {
      if (!freed.block->getType()->isPointerTy())
        continue; // declared without its type
      llvm::IRBuilder<> builder(freed.call);
      llvm::Value *site = sites_.runtime_number(builder, freed.site);
      if (freed.is_for_self)
        hooks_.call(builder, Hooks::blame_freeing, {freed.block, site});
      if (freed.is_free)
        hooks_.call(builder, Hooks::blame_free, {freed.block, site});
    }
  }

  // Every function may now write memory that its attributes did not allow.
  void forget_attributes() {
    for (llvm::Function &function : module_) {
      if (is_changed(function)) {
        function.removeFnAttr(llvm::Attribute::Memory);
        function.removeFnAttr(llvm::Attribute::Speculatable);
      }
      for (llvm::BasicBlock &block : function)
        for (llvm::Instruction &instruction : block)
          if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
            if (!llvm::isa<llvm::IntrinsicInst>(call) && called_library_function(*call) == nullptr)
              call->removeFnAttr(llvm::Attribute::Memory);
    }
  }

  llvm::Module &module_;
  bool blames_;
  Hooks hooks_;
  LibraryCalls library_;
  AllocationReach reach_;
  SiteTable sites_;
  Wrappers wrappers_;
  FreeWrappers free_wrappers_;
};

} // namespace

llvm::PreservedAnalyses MonitorPass::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  const std::string flavour = take_flavour(module);
  if (!is_instrumented(flavour))
    return llvm::PreservedAnalyses::all();
  Unit(module, flavour == CULPRIT_FLAVOUR_BLAME).instrument();
  return llvm::PreservedAnalyses::none();
}

} // namespace culprit
