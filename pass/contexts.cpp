// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/contexts.h"

#include "abi/monitor.h"
#include "pass/hooks.h"
#include "pass/outside_loops.h"
#include "pass/source_place.h"
#include "pass/wrappers.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"

namespace culprit {

namespace {

bool is_of_standard_library(const llvm::DILocation *location, const llvm::Function &function) {
  const llvm::StringRef name = location != nullptr ? function_at(*location) : function.getName();
  for (const llvm::StringRef prefix :
       {"_ZNSt", "_ZNKSt", "_ZSt", "_ZNSa", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx"})
    if (name.starts_with(prefix))
      return true;
  return false;
}

} // namespace

std::vector<ContextCall> find_context_calls(llvm::Function &function, const AllocationReach &reach,
                                            const Wrappers &wrappers, SiteTable &sites) {
  std::vector<ContextCall> found;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr || !reach.may_allocate(*call))
        continue;
      ContextCall context{call, {}};
      const llvm::DILocation *location = call->getDebugLoc().get();
      const bool allocates = is_allocation(*call);
      // The sites of an allocator's layers are told of, so that they are known for what they are.
      const auto push = [&](SiteTable::Handle handle, const llvm::DILocation *place) {
        Site &site = sites[handle];
        site.is_wrapper = wrappers.hands_out(site.function, site.callee);
        if (!site.is_wrapper || site.kind == SiteKind::alloc)
          context.levels.push_back({handle, place});
      };
      if (allocates || !is_of_standard_library(location, function))
        push(sites.add(allocates ? SiteKind::alloc : SiteKind::call, *call, called_name(*call)),
             location);
      while (location != nullptr && context.levels.size() < CULPRIT_CONTEXT_DEPTH) {
        const llvm::DILocation *caller = location->getInlinedAt();
        if (caller != nullptr && !is_of_standard_library(caller, function))
          push(sites.add_inlined_call(*caller, function_at(*location)), caller);
        location = caller;
      }
      found.push_back(std::move(context));
    }
  return found;
}

void insert_contexts(llvm::Function &function, llvm::ArrayRef<ContextCall> calls, SiteTable &sites,
                     Hooks &hooks) {
  auto is_deep = [](const ContextCall &call) {
    return call.levels.size() >= CULPRIT_CONTEXT_DEPTH;
  };
  llvm::Value *own = nullptr;
  // In a loop, the second round would read what the first one stored.
  llvm::SmallVector<llvm::Instruction *> uses;
  for (const ContextCall &context : calls)
    uses.push_back(context.call);
  if (!llvm::all_of(calls, is_deep))
    if (llvm::Instruction *place = place_before_all(function, uses)) {
      llvm::IRBuilder<> builder(place);
      if (llvm::DISubprogram *subprogram = function.getSubprogram())
        builder.SetCurrentDebugLocation(
            llvm::DILocation::get(function.getContext(), 0, 0, subprogram));
      own = Hooks::unsanitized(builder.CreateLoad(
          builder.getInt64Ty(), builder.CreateThreadLocalAddress(hooks.context())));
    }
  for (const ContextCall &context : calls) {
    llvm::IRBuilder<> builder(context.call);
    llvm::Value *value = own != nullptr && !is_deep(context) ? own : builder.getInt64(0);
    for (const ContextLevel &level : llvm::reverse(context.levels))
      value = builder.CreateOr(builder.CreateShl(value, CULPRIT_CONTEXT_SHIFT),
                               sites.context_number(builder, level.site));
    Hooks::unsanitized(
        builder.CreateStore(value, builder.CreateThreadLocalAddress(hooks.context())));
  }
}

} // namespace culprit
