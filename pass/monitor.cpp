// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/monitor.h"

#include "abi/access.h"
#include "abi/features.h"
#include "abi/monitor.h"
#include "pass/access_checks.h"
#include "pass/access_hoisting.h"
#include "pass/access_joining.h"
#include "pass/access_once.h"
#include "pass/access_removal.h"
#include "pass/access_unit.h"
#include "pass/accesses.h"
#include "pass/allocation_reach.h"
#include "pass/barrier.h"
#include "pass/block_types.h"
#include "pass/contexts.h"
#include "pass/first_reads.h"
#include "pass/free_reach.h"
#include "pass/free_wrappers.h"
#include "pass/hooks.h"
#include "pass/library_accesses.h"
#include "pass/library_calls.h"
#include "pass/locals.h"
#include "pass/lone_structs.h"
#include "pass/names.h"
#include "pass/new_types.h"
#include "pass/origins.h"
#include "pass/prepare.h"
#include "pass/probes.h"
#include "pass/record_types.h"
#include "pass/sites.h"
#include "pass/source_place.h"
#include "pass/stack_gaps.h"
#include "pass/stack_marks.h"
#include "pass/work_reach.h"
#include "pass/wrappers.h"
#include "pass/writes.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/StackSafetyAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

#include <optional>

namespace culprit {

namespace {

constexpr llvm::StringLiteral kWatchOn = "__culprit_watch_on"; // of <culprit/watch.h>

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
  std::vector<Access> accesses; // to be checked
  std::vector<JoinedAccesses> joined;
  std::vector<OnceAccesses> once;
  std::vector<WatchedLocal> locals;
};

class Unit {
public:
  Unit(llvm::Module &module, llvm::ModuleAnalysisManager &analyses, unsigned features, bool is_main)
      : module_(module), features_(features), hooks_(module), library_(module),
        reach_(module, library_), sites_(module), types_(module), wrappers_(module),
        free_wrappers_(module),
        function_analyses_(
            analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager()) {
    if (!has(CULPRIT_FEATURE_ACCESS))
      return;
    access_.emplace(module, sites_.unit(), is_main);
    names_.emplace(module, *access_, types_, wrappers_);
    frees_.emplace(module, library_);
    safety_ = &analyses.getResult<llvm::StackSafetyGlobalAnalysis>(module);
    removal_.emplace(module, *safety_, *frees_, tells_all());
  }

  void instrument() {
    settle_places(module_);
    drop_idle_probes(module_, features_);
    std::vector<Plan> plans;
    for (llvm::Function &function : module_)
      if (is_changed(function))
        plans.push_back(make_plan(function));
    // The blocks of other units may be met as well, by whatever is not the main one.
    if (access_ && access_->is_main()) {
      const llvm::StringSet<> told_apart = names_->told_apart();
      for (Plan &plan : plans)
        drop_never_joined(plan.joined, told_apart);
    }
    for (Plan &plan : plans)
      carry_out(plan);
    forget_attributes();
    if (names_)
      names_->emit(sites_);
    const SiteTable::Emitted emitted =
        sites_.emit(access_ ? access_->tables() : llvm::json::Object());
    if (access_)
      access_->emit(emitted);
    define_byte(CULPRIT_MONITOR_SYMBOL, 1);
    define_byte(CULPRIT_FEATURES_SYMBOL, static_cast<uint8_t>(features_));
  }

private:
  bool has(culprit_feature feature) const { return (features_ & feature) != 0; }

  // Is every access of interest, also one that is certain to happen?
  bool tells_all() const {
    return has(CULPRIT_FEATURE_COUNTS) || has(CULPRIT_FEATURE_EVENTS) ||
           module_.getFunction(kWatchOn) != nullptr;
  }

  // Weak: every unit of the program has it.
  void define_byte(llvm::StringRef name, uint8_t value) {
    auto *byte = llvm::Type::getInt8Ty(module_.getContext());
    module_.getOrInsertGlobal(name, byte, [&] {
      return new llvm::GlobalVariable(module_, byte, /*isConstant=*/true,
                                      llvm::GlobalValue::WeakAnyLinkage,
                                      llvm::ConstantInt::get(byte, value), name);
    });
  }

  Plan make_plan(llvm::Function &function) {
    Plan plan{&function, find_context_calls(function, reach_, wrappers_, sites_),
              {},        {},
              {},        {},
              {},        {},
              {},        {}};
    if (names_)
      plan.locals = find_locals(function, *safety_, names_->layouts());
    for (const ContextCall &call : plan.context_calls) {
      name_block_types(call, sites_, types_);
      if (names_)
        names_->block_layouts().add(call, sites_);
    }
    const llvm::DominatorTree dominators(function);
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block) {
        if (const auto write = has(CULPRIT_FEATURE_HEAP)
                                   ? heap_write(instruction, module_.getDataLayout())
                                   : std::nullopt) {
          plan.writes.push_back(*write);
          plan.write_sites.push_back(sites_.add(SiteKind::store, instruction, ""));
          Site &site = sites_[plan.write_sites.back()];
          if (site.from.empty())
            site.from = origins_of_write(instruction, dominators);
        }
        if (access_)
          for (const Access &access : accesses_of(instruction, module_.getDataLayout()))
            if (!access.is_read || has(CULPRIT_FEATURE_READS))
              plan.accesses.push_back(access);
        auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (call == nullptr || llvm::isa<llvm::IntrinsicInst>(call))
          continue;
        plan.calls.push_back(call);
        if (access_ && has(CULPRIT_FEATURE_READS))
          llvm::append_range(plan.accesses, first_reads(*call, dominators));
        if (const auto freed = free_call(*call))
          plan.frees.push_back(*freed);
      }
    if (access_) {
      removal_->remove_known(function, plan.accesses, function_analyses_);
      if (!tells_all())
        hoist_accesses(function, plan.accesses, function_analyses_, *frees_);
      removal_->remove_covered(function, plan.accesses, function_analyses_);
      if (!tells_all()) {
        plan.once = find_once(function, plan.accesses, function_analyses_, *frees_);
        plan.joined =
            join_accesses(function, plan.accesses, plan.once, *frees_, function_analyses_);
      }
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
  void carry_out(Plan &plan) {
    const std::vector<BlockEntries> entries = gather_probes(*plan.function);
    if (!plan.context_calls.empty())
      insert_contexts(*plan.function, plan.context_calls, sites_, hooks_);
    insert_barriers(*plan.function, plan.writes, hooks_);
    if (has(CULPRIT_FEATURE_HEAP))
      for (llvm::CallBase *call : plan.calls)
        library_.insert_marks(*call, hooks_);
    if (has(CULPRIT_FEATURE_BLAME))
      insert_blame(plan);
    if (access_) {
      AccessChecks(*plan.function, features_, *access_, hooks_)
          .insert(plan.accesses, plan.joined, plan.once);
      LibraryAccesses library(features_, tells_all(), *access_, library_, hooks_);
      for (llvm::CallBase *call : plan.calls)
        library.insert(*call);
    }
    const llvm::SmallPtrSet<const llvm::CallBase *, 4> lone = lone_structs(plan);
    for (llvm::CallBase *call : plan.calls)
      if (is_allocation(*call))
        hooks_.replace_allocation(*call, lone.contains(call));
    if (names_) {
      add_stack_gaps(*plan.function, plan.locals, access_->is_main());
      insert_stack_marks(*plan.function, plan.locals, *names_, hooks_);
    }
    lower_probes(entries, hooks_);
  }

  // When all plans are made: copies of a site may tell its type.
  llvm::SmallPtrSet<const llvm::CallBase *, 4> lone_structs(const Plan &plan) {
    llvm::SmallPtrSet<const llvm::CallBase *, 4> lone;
    for (const ContextCall &call : plan.context_calls)
      if (is_lone_struct(call, sites_, types_, wrappers_))
        lone.insert(call.call);
    return lone;
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
  unsigned features_; // culprit_feature
  Hooks hooks_;
  LibraryCalls library_;
  AllocationReach reach_;
  SiteTable sites_;
  RecordTypes types_;
  Wrappers wrappers_;
  FreeWrappers free_wrappers_;
  llvm::FunctionAnalysisManager &function_analyses_;
  // Of access flavours:
  std::optional<AccessUnit> access_;
  std::optional<FreeReach> frees_;
  std::optional<AccessRemoval> removal_;
  std::optional<Names> names_;
  const llvm::StackSafetyGlobalInfo *safety_ = nullptr; // of the module as it was before
};

} // namespace

llvm::PreservedAnalyses MonitorPass::run(llvm::Module &module,
                                         llvm::ModuleAnalysisManager &analyses) {
  const std::string flavour = take_flavour(module);
  const bool is_main = take_main(module);
  if (!is_instrumented(flavour) || is_instrumented_first(flavour))
    return llvm::PreservedAnalyses::all();
  restore_new_types(module);
  Unit(module, analyses, features_of(flavour), is_main).instrument();
  return llvm::PreservedAnalyses::none();
}

} // namespace culprit
