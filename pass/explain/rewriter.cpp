// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/explain/rewriter.h"

#include "abi/explain.h"
#include "pass/call_graph.h"
#include "pass/explain/cycles.h"
#include "pass/explain/ids.h"
#include "pass/explain/library_writes.h"
#include "pass/explain/temporaries.h"
#include "pass/locate/plan.h"
#include "pass/locate/variable_names.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace culprit {

namespace {

constexpr size_t kMostWays = 64;
constexpr unsigned kWidest = 64;

// A value for each place that the switch leads to.
std::vector<uint64_t> ways_of(const llvm::SwitchInst &branch) {
  std::vector<uint64_t> ways;
  const unsigned width = branch.getCondition()->getType()->getIntegerBitWidth();
  if (width > kWidest)
    return ways;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> known = {branch.getDefaultDest()};
  llvm::DenseSet<uint64_t> taken;
  for (const auto &each : branch.cases()) {
    const uint64_t value = each.getCaseValue()->getZExtValue();
    taken.insert(value);
    if (ways.size() < kMostWays && known.insert(each.getCaseSuccessor()).second)
      ways.push_back(value);
  }
  uint64_t other = 0; // no case has it
  while (taken.contains(other))
    ++other;
  if (width == kWidest || other < uint64_t{1} << width)
    if (!llvm::isa<llvm::UnreachableInst>(branch.getDefaultDest()->getFirstNonPHIOrDbg()))
      ways.push_back(other);
  return ways;
}

// How many other ways than its own the block can be sent.
unsigned ways_of(const llvm::BasicBlock &block) {
  const llvm::Instruction *last = block.getTerminator();
  if (const auto *chosen = llvm::dyn_cast<llvm::SwitchInst>(last))
    return static_cast<unsigned>(ways_of(*chosen).size());
  return llvm::isa<llvm::BranchInst>(last) && last->getNumSuccessors() > 1 ? 1 : 0;
}

llvm::StringRef allocation_called(const llvm::Instruction &call) {
  const llvm::Function *library = called_library_function(llvm::cast<llvm::CallBase>(call));
  return library != nullptr && !allocation_hook(library->getName()).empty() ? library->getName()
                                                                            : llvm::StringRef();
}

} // namespace

bool is_explained(const llvm::Function &function) {
  // The wrappers of <culprit/watch.h> are nobody's frames: an object is handed out by who calls
  // them.
  if (!is_seen(function) || function.isPresplitCoroutine() ||
      function.getName().starts_with("culprit_pool_") || function.getName().starts_with("culprit."))
    return false;
  return llvm::none_of(llvm::instructions(function), [](const llvm::Instruction &instruction) {
    const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    return call != nullptr && call->isMustTailCall();
  });
}

bool may_swallow(const llvm::CallBase &call) {
  if (call.isInlineAsm() || call.doesNotReturn() || call.isMustTailCall())
    return false;
  if (const llvm::Function *library = called_library_function(call))
    return !library->doesNotThrow() && allocation_hook(library->getName()).empty() &&
           !is_free(library->getName());
  const llvm::Function *callee = called_function(call);
  return callee == nullptr || !is_explained(*callee);
}

llvm::Instruction *behind(llvm::CallBase &call) {
  if (auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(&call))
    return &*invoke->getNormalDest()->getFirstInsertionPt();
  return call.isTerminator() ? nullptr : call.getNextNode();
}

ExplainRewriter::ExplainRewriter(llvm::Function &function, ExplainTables &tables, Hooks &hooks,
                                 LibraryCalls &library)
    : function_(function), tables_(tables), hooks_(hooks), library_(library), frame_(function) {}

std::vector<llvm::Instruction *> ExplainRewriter::statements_of(llvm::BasicBlock &block) {
  unsigned line = 0;
  std::vector<llvm::Instruction *> statements;
  for (llvm::Instruction &instruction : block) {
    const llvm::DILocation *location = instruction.getDebugLoc().get();
    if (llvm::isa<llvm::PHINode, llvm::AllocaInst, llvm::LandingPadInst, llvm::DbgInfoIntrinsic>(
            instruction) ||
        location == nullptr || location->getLine() == 0 || location->getLine() == line)
      continue;
    line = location->getLine();
    statements.push_back(&instruction);
  }
  return statements;
}

// A point stands before the first instruction of each line in a block: there an earlier statement
// has stored what it made. The runtime may decide otherwise than the program where a branch
// follows.
void ExplainRewriter::insert_point(llvm::Instruction &first, unsigned ways) {
  const unsigned site = tables_.add_site({&first, SiteKind::point, ways, ""});
  llvm::IRBuilder<> builder(&first);
  sites_.push_back(
      {hooks_.call(builder, Hooks::explain_point, {&frame_.address(), builder.getInt32(site)}),
       site, /*is_call=*/false});
  llvm::Instruction *last = first.getParent()->getTerminator();
  if (ways == 0)
    return;
  builder.SetInsertPoint(last);
  if (auto *chosen = llvm::dyn_cast<llvm::SwitchInst>(last))
    return insert_choice(builder, *chosen, site);
  auto *branch = llvm::cast<llvm::BranchInst>(last);
  llvm::Value *taken = builder.CreateZExt(branch->getCondition(), builder.getInt32Ty());
  llvm::Value *decided = hooks_.call(builder, Hooks::explain_decide,
                                     {&frame_.address(), builder.getInt32(site), taken});
  branch->setCondition(builder.CreateICmpNE(decided, builder.getInt32(0)));
}

void ExplainRewriter::insert_choice(llvm::IRBuilder<> &builder, llvm::SwitchInst &chosen,
                                    unsigned site) {
  const std::vector<uint64_t> ways = ways_of(chosen);
  llvm::Constant *values = llvm::ConstantDataArray::get(builder.getContext(), ways);
  auto *table = new llvm::GlobalVariable(*function_.getParent(), values->getType(),
                                         /*isConstant=*/true, llvm::GlobalValue::PrivateLinkage,
                                         values, "culprit.ways");
  llvm::Type *type = chosen.getCondition()->getType();
  llvm::Value *decided =
      hooks_.call(builder, Hooks::explain_choose,
                  {&frame_.address(), builder.getInt32(site),
                   builder.CreateZExt(chosen.getCondition(), builder.getInt64Ty()), table,
                   builder.getInt32(static_cast<uint32_t>(ways.size()))});
  chosen.setCondition(builder.CreateTrunc(decided, type));
}

void ExplainRewriter::find_sites() {
  for (llvm::BasicBlock &block : function_) {
    llvm::SmallVector<llvm::Instruction *, 8> calls;
    for (llvm::Instruction &instruction : block)
      if (is_program_call(instruction))
        calls.push_back(&instruction);
    const std::vector<llvm::Instruction *> statements = statements_of(block);
    const unsigned ways = ways_of(block);
    for (llvm::Instruction *first : statements)
      insert_point(*first, first == statements.back() ? ways : 0);
    for (llvm::Instruction *call : calls)
      sites_.push_back({call, tables_.add_site({call, SiteKind::call, 0, allocation_called(*call)}),
                        /*is_call=*/true});
  }
}

// Variables of variable length stay where they are: the runtime is told of each.
void ExplainRewriter::find_sized() {
  const llvm::DataLayout &layout = function_.getParent()->getDataLayout();
  llvm::SmallVector<llvm::AllocaInst *> sized;
  llvm::SmallVector<llvm::IntrinsicInst *> restored;
  for (llvm::Instruction &instruction : llvm::instructions(function_)) {
    if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        variable != nullptr && !variable->isStaticAlloca() && !variable->isUsedWithInAlloca())
      sized.push_back(variable);
    if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        intrinsic != nullptr && intrinsic->getIntrinsicID() == llvm::Intrinsic::stackrestore)
      restored.push_back(intrinsic);
  }
  if (sized.empty() && restored.empty())
    return;
  const VariableNames names(function_);
  for (llvm::AllocaInst *variable : sized) {
    const unsigned site = tables_.add_site({variable, SiteKind::variable, false, ""});
    const llvm::DILocalVariable *named = names.variable(*variable);
    const unsigned name =
        tables_.add_name(named != nullptr ? named->getName() : "", source_name(function_),
                         named != nullptr ? named->getType() : nullptr);
    llvm::IRBuilder<> builder(variable->getNextNode());
    llvm::Value *count = builder.CreateZExtOrTrunc(variable->getArraySize(), builder.getInt64Ty());
    llvm::Value *bytes = builder.CreateMul(
        count, builder.getInt64(layout.getTypeAllocSize(variable->getAllocatedType())));
    sites_.push_back({hooks_.call(builder, Hooks::explain_sized,
                                  {&frame_.address(), variable, bytes, builder.getInt32(site),
                                   builder.getInt32(name)}),
                      site, /*is_call=*/false});
  }
  for (llvm::IntrinsicInst *each : restored) {
    llvm::IRBuilder<> builder(each->getNextNode());
    hooks_.call(builder, Hooks::explain_restored, {&frame_.address(), each->getArgOperand(0)});
  }
}

void ExplainRewriter::find_accesses() {
  for (llvm::Instruction &instruction : llvm::instructions(function_))
    if (llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst,
                  llvm::MemIntrinsic>(instruction))
      accesses_.push_back(&instruction);
}

void ExplainRewriter::tell_access(llvm::Instruction &access) {
  const llvm::DataLayout &layout = function_.getParent()->getDataLayout();
  llvm::IRBuilder<> builder(&access);
  auto tell = [&](Hooks::Hook hook, llvm::Value *address, llvm::Type *type) {
    const uint64_t size = layout.getTypeStoreSize(type).getKnownMinValue();
    hooks_.call(builder, hook, {address, builder.getInt64(size)});
  };
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&access)) {
    tell(Hooks::explain_read, load->getPointerOperand(), load->getType());
  } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&access)) {
    tell(Hooks::explain_write, store->getPointerOperand(), store->getValueOperand()->getType());
  } else if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&access)) {
    tell(Hooks::explain_write, update->getPointerOperand(), update->getValOperand()->getType());
  } else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&access)) {
    tell(Hooks::explain_write, exchange->getPointerOperand(),
         exchange->getNewValOperand()->getType());
  } else {
    auto &whole = llvm::cast<llvm::MemIntrinsic>(access);
    llvm::Value *size = builder.CreateZExtOrTrunc(whole.getLength(), builder.getInt64Ty());
    if (auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&whole))
      hooks_.call(builder, Hooks::explain_read, {copy->getRawSource(), size});
    hooks_.call(builder, Hooks::explain_write, {whole.getRawDest(), size});
  }
}

void ExplainRewriter::tell_kept(llvm::StoreInst &store) {
  llvm::IRBuilder<> builder(&store);
  const uint64_t size = function_.getParent()
                            ->getDataLayout()
                            .getTypeStoreSize(store.getValueOperand()->getType())
                            .getKnownMinValue();
  hooks_.call(builder, Hooks::explain_write,
              {store.getPointerOperand(), builder.getInt64(size | CULPRIT_KEEPS)});
}

void ExplainRewriter::insert_counters(const ResultNames &results) {
  const Cycles cycles(function_);
  for (const Placed &each : sites_)
    tables_.set_counters(each.site, cycles.around(*each.at->getParent()));
  for (const Cycles::Step &step : cycles.increments()) {
    llvm::IRBuilder<> builder(&*step.block->getFirstInsertionPt());
    llvm::Value *counter = frame_.counter(builder, step.counter);
    llvm::Value *before = builder.CreateLoad(builder.getInt64Ty(), counter);
    builder.CreateStore(builder.CreateAdd(before, builder.getInt64(1)), counter);
  }
  for (const Cycles::Step &step : cycles.clearings()) {
    llvm::IRBuilder<> builder(&*step.block->getFirstInsertionPt());
    builder.CreateStore(builder.getInt64(0), frame_.counter(builder, step.counter));
  }
  for (const Cycles::Step &step : cycles.resets()) {
    llvm::IRBuilder<> builder(step.block->getTerminator());
    builder.CreateStore(builder.getInt64(0), frame_.counter(builder, step.counter));
  }
  if (cycles.has_jumps())
    for (const Placed &each : sites_) {
      if (!each.is_call || !returns_twice(*each.at) || !each.at->getType()->isIntegerTy())
        continue;
      llvm::IRBuilder<> builder(each.at->getNextNode());
      hooks_.call(builder, Hooks::explain_again, {&frame_.address()});
      count_return(builder, cycles.returns_to(*each.at->getParent()), each.at,
                   [&](unsigned counter) { return frame_.counter(builder, counter); });
    }
  llvm::GlobalVariable &described = frame_.make(cycles.counters(), results, tables_);
  llvm::IRBuilder<> builder(frame_.entry());
  hooks_.call(builder, Hooks::explain_enter, {&frame_.address(), &described});
}

void ExplainRewriter::insert_ends() {
  for (llvm::BasicBlock &block : function_) {
    if (block.isLandingPad()) {
      llvm::IRBuilder<> builder(&*block.getFirstInsertionPt());
      hooks_.call(builder, Hooks::explain_again, {&frame_.address()});
    }
    if (llvm::isa<llvm::ReturnInst, llvm::ResumeInst>(block.getTerminator())) {
      llvm::IRBuilder<> builder(block.getTerminator());
      hooks_.call(builder, Hooks::explain_leave, {&frame_.address()});
    }
  }
}

void ExplainRewriter::rewrite() {
  find_accesses();
  find_sites();
  find_sized();
  const ResultNames results = put_temporaries_into_memory(function_);
  const llvm::SmallPtrSet<const llvm::Instruction *, 32> known(accesses_.begin(), accesses_.end());
  llvm::SmallVector<llvm::StoreInst *> kept;
  for (llvm::Instruction &instruction : llvm::instructions(function_))
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        store != nullptr && !known.contains(store))
      kept.push_back(store);
  for (const Placed &each : sites_)
    if (each.is_call) {
      llvm::IRBuilder<> builder(each.at);
      frame_.stand_at(builder, each.site);
      auto &call = llvm::cast<llvm::CallBase>(*each.at);
      if (llvm::Instruction *next = may_swallow(call) ? behind(call) : nullptr) {
        llvm::IRBuilder<> after(next);
        hooks_.call(after, Hooks::explain_again, {&frame_.address()});
      }
    }
  for (llvm::Instruction *access : accesses_)
    tell_access(*access);
  for (llvm::StoreInst *store : kept)
    tell_kept(*store);
  for (const Placed &each : sites_)
    if (each.is_call)
      tell_library_writes(llvm::cast<llvm::CallBase>(*each.at), library_, hooks_);
  insert_ends();
  insert_counters(results);
}

} // namespace culprit
