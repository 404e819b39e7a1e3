// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/explain/index_plan.h"

#include "pass/call_graph.h"
#include "pass/explain/rewriter.h"
#include "pass/hooks.h"

#include "llvm/IR/InstIterator.h"

namespace culprit {

namespace {

// Allocating both reads and writes what is nobody's argument.
bool may_allocate(const llvm::Function &library) {
  if (!allocation_hook(library.getName()).empty())
    return true;
  return !is_free(library.getName()) && !library.onlyReadsMemory() && !library.onlyWritesMemory() &&
         !library.onlyAccessesArgMemory();
}

// Code that is not seen may call it.
bool is_open(const llvm::Function &function,
             const llvm::DenseSet<const llvm::Function *> &explained) {
  return !function.hasLocalLinkage() || function.hasAddressTaken() ||
         llvm::any_of(function.users(), [&](const llvm::User *user) {
           const auto *call = llvm::dyn_cast<llvm::CallBase>(user);
           return call == nullptr || !explained.contains(call->getFunction());
         });
}

} // namespace

bool IndexPlan::may_allocate(const llvm::CallBase &call) const {
  if (!is_program_call(call))
    return false;
  if (const llvm::Function *library = called_library_function(call))
    return culprit::may_allocate(*library);
  return called_here(call) == nullptr; // by pointer
}

bool IndexPlan::is_site(const llvm::CallBase &call) const {
  if (!is_program_call(call))
    return false;
  if (whole_ || may_allocate(call))
    return true;
  const llvm::Function *callee = called_here(call);
  return callee != nullptr && reaching_.contains(callee);
}

void IndexPlan::find_reach(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (is_explained(function))
      explained_.insert(&function);
  reaching_ = reaching(module, [this](const llvm::Instruction &instruction) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call != nullptr && may_allocate(*call);
  });
}

const llvm::CallBase *IndexPlan::only_call_of(const llvm::Function &function) const {
  if (whole_ || !function.hasOneUse() || function.callsFunctionThatReturnsTwice())
    return nullptr;
  const auto *call = llvm::dyn_cast<llvm::CallBase>(*function.user_begin());
  return call != nullptr && call->getCalledFunction() == &function &&
                 call->getFunction() != &function
             ? call
             : nullptr;
}

// A ring of functions that only call one another is never entered, but it must not be walked
// forever.
void IndexPlan::find_dominated() {
  for (const Function &each : functions_)
    if (!each.is_open && !each.sites.empty())
      if (const llvm::CallBase *call = only_call_of(*each.function))
        only_call_[each.function] = call;
  for (const Function &each : functions_) {
    llvm::DenseSet<const llvm::Function *> seen;
    for (const llvm::Function *at = each.function; only_call_.contains(at);
         at = only_call_.lookup(at)->getFunction())
      if (!seen.insert(at).second) {
        only_call_.erase(at);
        break;
      }
  }
}

// Where the counters of its sites lie, behind those of the call it came by; that one's first.
void IndexPlan::place(unsigned number) {
  Function &function = functions_[number];
  if (!placed_.insert(function.function).second)
    return;
  unsigned via = 0;
  unsigned first = 0;
  if (const llvm::CallBase *call = only_call_.lookup(function.function)) {
    const unsigned caller = numbers_.lookup(call->getFunction());
    place(caller);
    for (const Site &site : functions_[caller].sites)
      if (site.call == call) {
        via = site.number;
        first = site.first + static_cast<unsigned>(site.counters.size());
      }
  }
  unsigned slots = 0;
  for (Site &site : function.sites) {
    site.via = via;
    site.first = first;
    slots = std::max(slots, first + static_cast<unsigned>(site.counters.size()));
  }
  function.has_frame = via == 0 && (whole_ || !function.sites.empty());
  const llvm::Function *owner = function.function;
  while (const llvm::CallBase *call = only_call_.lookup(owner))
    owner = call->getFunction();
  unsigned &room = functions_[numbers_.lookup(owner)].slots;
  room = std::max(room, slots);
}

void IndexPlan::measure() {
  extent_.functions = explained_.size();
  for (const llvm::Function *function : explained_)
    for (const llvm::BasicBlock &block : *function)
      extent_.branches += block.getTerminator()->getNumSuccessors() > 1 &&
                                  !llvm::isa<llvm::InvokeInst>(block.getTerminator())
                              ? 1
                              : 0;
  for (const Function &function : functions_) {
    extent_.framed += function.has_frame ? 1 : 0;
    extent_.guests += !function.has_frame && !function.sites.empty() ? 1 : 0;
    llvm::DenseSet<unsigned> counted;
    for (const Site &site : function.sites) {
      counted.insert(site.counters.begin(), site.counters.end());
      const llvm::Function *library = called_library_function(*site.call);
      extent_.allocating +=
          library != nullptr && !allocation_hook(library->getName()).empty() ? 1 : 0;
    }
    extent_.counted +=
        function.whole && function.cycles != nullptr ? function.cycles->counters() : counted.size();
  }
}

IndexPlan::IndexPlan(llvm::Module &module, bool whole) : whole_(whole) {
  find_reach(module);
  // Ids are asked for in the order in which the explain flavour asks for them, needed or not.
  ExplainIds ids;
  for (llvm::Function &function : module) {
    if (!explained_.contains(&function))
      continue;
    Function planned{
        .function = &function, .is_open = is_open(function, explained_), .whole = whole_};
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      if (!is_program_call(instruction))
        continue;
      auto &call = llvm::cast<llvm::CallBase>(instruction);
      const uint64_t id = ids.of_site(call, SiteKind::call);
      if (!is_site(call))
        continue;
      planned.sites.push_back({.call = &call, .number = ++site_count_, .id = id});
      if (llvm::Function *library = called_library_function(call))
        libraries_.insert(library);
    }
    const uint64_t function_id = ids.of_function(function);
    if (whole_ || !planned.sites.empty())
      planned.cycles = std::make_unique<Cycles>(function);
    for (Site &site : planned.sites) {
      site.function_id = function_id;
      const llvm::ArrayRef<unsigned> around = planned.cycles->around(*site.call->getParent());
      site.counters.assign(around.begin(), around.end());
    }
    if (planned.cycles == nullptr && !planned.is_open)
      continue;
    numbers_[&function] = static_cast<unsigned>(functions_.size());
    functions_.push_back(std::move(planned));
  }
  find_dominated();
  for (unsigned i = 0; i < functions_.size(); ++i)
    place(i);
  measure();
}

} // namespace culprit
