// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/late_reads.h"

#include "abi/locate.h"
#include "pass/locate/changed_results.h"
#include "pass/locate/id_reads.h"
#include "pass/locate/late_results.h"
#include "pass/locate/telling_accesses.h"
#include "pass/locate/unwritten.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

#include <memory>
#include <optional>
#include <vector>

namespace culprit {

namespace {

constexpr size_t kMost = 4'000'000; // ids times blocks: what is looked at of a function
constexpr double kWorthIt = 0.9;    // of what it was before
constexpr double kSpill = 0.7;      // writing an id to the stack, beside reading one

class LateReads {
public:
  LateReads(llvm::Function &function, unsigned cells)
      : function_(function), cells_(cells), reads_(find_id_reads(function, cells)) {}

  bool run() {
    if (reads_.empty())
      return false;
    find_phis();
    if ((reads_.size() + phis_.size()) * function_.size() > kMost)
      return false;
    dominators_.recalculate(function_);
    loops_.analyze(dominators_);
    probabilities_.calculate(function_, loops_, nullptr, &dominators_, nullptr);
    frequencies_.calculate(function_, probabilities_, loops_);
    unwritten_.emplace(function_);
    // Both cells are read at the same time, or neither can wait.
    reads_.remove_if([&](const auto &each) {
      return !unwritten_->is_clean(*each.second.first, *each.second.last);
    });
    settle();
    plan();
    return rewrite();
  }

private:
  double frequency(const llvm::BasicBlock *block) const {
    return static_cast<double>(frequencies_.getBlockFreq(block).getFrequency()) /
           static_cast<double>(frequencies_.getEntryFreq().getFrequency());
  }

  // All that such ids flow into.
  void find_phis() {
    llvm::SmallVector<llvm::Instruction *, 16> rest;
    for (const auto &[value, read] : reads_)
      rest.push_back(value);
    while (!rest.empty())
      for (llvm::User *user : rest.pop_back_val()->users())
        if (auto *phi = llvm::dyn_cast<llvm::PHINode>(user); phi != nullptr && phis_.insert(phi))
          rest.push_back(phi);
  }

  bool is_late(const llvm::Value *value) const {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(const_cast<llvm::Value *>(value));
    if (instruction == nullptr)
      return false;
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(instruction))
      return phis_.contains(phi);
    return reads_.contains(instruction);
  }

  Unwritten::Point start_of(const llvm::Instruction &late) const {
    if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(&late))
      return {const_cast<llvm::BasicBlock *>(phi->getParent()), 0};
    return unwritten_->after(*reads_.find(const_cast<llvm::Instruction *>(&late))->second.last);
  }

  const Unwritten::Since &since(const llvm::Instruction &late) {
    const auto [found, is_new] = since_.try_emplace(&late);
    if (is_new)
      found->second = unwritten_->since(start_of(late), llvm::isa<llvm::PHINode>(late));
    return found->second;
  }

  // Can the address be handed on by this edge?
  bool hands_on(llvm::PHINode &phi, unsigned edge) {
    const llvm::Value *input = phi.getIncomingValue(edge);
    return is_late(input) &&
           since(*llvm::cast<llvm::Instruction>(input))
               .is_clean(unwritten_->after(*phi.getIncomingBlock(edge)->getTerminator()));
  }

  static bool can_spill(llvm::PHINode &phi, unsigned edge) {
    const llvm::Instruction *last = phi.getIncomingBlock(edge)->getTerminator();
    return phi.getIncomingValue(edge) != last && !last->isEHPad() &&
           !llvm::isa<llvm::CallBase>(last);
  }

  // Which phis can hold addresses, and by which edges ids come to them through the stack.
  void settle() {
    for (bool changed = true; changed;) {
      llvm::SmallVector<llvm::PHINode *, 8> dropped;
      for (llvm::PHINode *phi : phis_) {
        bool is_any_handed = false;
        bool is_possible = true;
        for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
          const bool is_handed = hands_on(*phi, i);
          is_any_handed |= is_handed;
          is_possible &= is_handed || can_spill(*phi, i);
        }
        if (!is_any_handed || !is_possible)
          dropped.push_back(phi);
      }
      for (llvm::PHINode *phi : dropped)
        phis_.remove(phi);
      changed = !dropped.empty();
      for (llvm::PHINode *phi : phis_)
        for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
          if (is_spilled(*phi, i) && spilling_.insert(phi->getIncomingBlock(i)).second) {
            unwritten_->add_write_to_stack(*phi->getIncomingBlock(i));
            changed = true;
            since_.clear();
          }
    }
  }

  bool is_spilled(llvm::PHINode &phi, unsigned edge) {
    return !hands_on(phi, edge) && !llvm::isa<llvm::Constant>(phi.getIncomingValue(edge));
  }

  // The coldest point at which the id can be read for a use at `to`.
  Unwritten::Point place_for(const llvm::Instruction &late, const Unwritten::Point &to,
                             bool is_kept) {
    const Unwritten::Since &known = since(late);
    std::optional<Unwritten::Point> best;
    const Unwritten::Point start = start_of(late);
    for (auto *node = dominators_.getNode(to.block); node != nullptr; node = node->getIDom()) {
      llvm::BasicBlock *block = node->getBlock();
      const Unwritten::Point limit =
          block == to.block ? to : unwritten_->before(*block->getTerminator());
      const auto found = is_kept ? std::optional(limit) : known.last_clean(limit);
      if (found && !block->getTerminator()->isEHPad() &&
          (!best || frequency(block) < kWorthIt * frequency(best->block)))
        best = found;
      if (block == start.block)
        break;
    }
    return best ? *best : start;
  }

  struct Need {
    llvm::Use *use;
    Unwritten::Point at;
    bool is_told;
  };

  // Who asks for the id itself, and where.
  llvm::SmallVector<Need, 8> needs_of(llvm::Instruction &late) {
    llvm::SmallVector<Need, 8> needs;
    for (llvm::Use &use : late.uses()) {
      auto *user = llvm::cast<llvm::Instruction>(use.getUser());
      auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
      llvm::BasicBlock *block = phi != nullptr ? phi->getIncomingBlock(use) : user->getParent();
      if (!dominators_.isReachableFromEntry(block))
        continue;
      if (phi == nullptr)
        needs.push_back({&use, unwritten_->before(*user), is_told_id(*user, use.getOperandNo())});
      else if (!phis_.contains(phi) || !hands_on(*phi, use.getOperandNo()))
        needs.push_back({&use, unwritten_->before(*block->getTerminator()), false});
    }
    return needs;
  }

  struct Way {
    llvm::SmallVector<std::pair<llvm::Use *, Unwritten::Point>, 8> asked; // and where it is read
    llvm::SmallVector<llvm::Use *, 8> told;
    double cost = 0;
  };

  Way way_for(llvm::Instruction &late, llvm::ArrayRef<Need> needs, bool is_kept) {
    Way way;
    llvm::SmallPtrSet<const llvm::BasicBlock *, 8> read_in;
    for (const Need &need : needs) {
      if (need.is_told && (is_kept || since(late).is_clean(need.at))) {
        way.told.push_back(need.use);
        continue;
      }
      const Unwritten::Point from = place_for(late, need.at, is_kept);
      way.asked.emplace_back(need.use, from);
      if (read_in.insert(from.block).second)
        way.cost += frequency(from.block);
    }
    return way;
  }

  // Where ids are read from now on. An id may be kept on the stack before it is written over: then
  // its address is that one, on the ways that lead there.
  void plan_uses(llvm::Instruction &late) {
    const llvm::SmallVector<Need, 8> needs = needs_of(late);
    Way way = way_for(late, needs, /*is_kept=*/false);
    if (way.cost > 0) {
      Way other = way_for(late, needs, /*is_kept=*/true);
      llvm::SmallVector<Unwritten::Point, 8> points;
      for (const Need &need : needs)
        points.push_back(need.at);
      llvm::SmallVector<Unwritten::Point, 4> writes = since(late).first_writes(points);
      for (const Unwritten::Point &write : writes)
        other.cost += (1 + kSpill) * frequency(write.block);
      if (other.cost < way.cost) {
        way = std::move(other);
        kept_[&late].writes = std::move(writes);
      }
    }
    cost(late).after += way.cost;
    for (llvm::Use *use : way.told)
      told_[llvm::cast<llvm::CallInst>(use->getUser())].emplace_back(use->getOperandNo(), &late);
    for (const auto &[use, from] : way.asked) {
      asked_.push_back({&late, use, from.block});
      const auto [known, is_new] = read_at_.try_emplace({&late, from.block}, from.index);
      known->second = std::min(known->second, from.index);
    }
  }

  void plan() {
    for (const auto &[value, read] : reads_)
      groups_.insert(value);
    for (llvm::PHINode *phi : phis_) {
      groups_.insert(phi);
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        if (is_late(phi->getIncomingValue(i)))
          groups_.unionSets(phi, llvm::cast<llvm::Instruction>(phi->getIncomingValue(i)));
    }
    for (const auto &[value, read] : reads_)
      plan_uses(*value);
    for (llvm::PHINode *phi : phis_)
      plan_uses(*phi);
    // What it costs now and what it would.
    for (const auto &[value, read] : reads_)
      cost(*value).before += frequency(value->getParent());
    for (llvm::PHINode *phi : phis_)
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        if (is_spilled(*phi, i))
          cost(*phi).after += kSpill * frequency(phi->getIncomingBlock(i));
  }

  struct Kept {
    llvm::SmallVector<Unwritten::Point, 4> writes; // before which it is put aside
    llvm::AllocaInst *slot = nullptr;
    std::unique_ptr<llvm::SSAUpdater> addresses;
  };

  struct Cost {
    double before = 0;
    double after = 0;
  };
  Cost &cost(llvm::Instruction &late) { return costs_[groups_.getLeaderValue(&late)]; }
  bool is_worth_it(llvm::Instruction &late) {
    const Cost &known = cost(late);
    return known.after < kWorthIt * known.before;
  }

  // Where the id stands when its value is made.
  llvm::Value *address_of(llvm::Instruction *late) {
    const auto *read = reads_.find(late);
    return read != reads_.end() ? read->second.cells : addresses_.lookup(late);
  }

  // And later.
  llvm::Value *address_at(llvm::Instruction *late, const Unwritten::Point &at) {
    const auto kept = kept_.find(late);
    if (kept == kept_.end())
      return address_of(late);
    for (const Unwritten::Point &write : kept->second.writes)
      if (write.block == at.block && write.index < at.index &&
          (at.block != start_of(*late).block || at.index >= start_of(*late).index))
        return kept->second.slot;
    if (at.block == start_of(*late).block)
      return address_of(late);
    return kept->second.addresses->GetValueInMiddleOfBlock(at.block);
  }

  void keep(llvm::Instruction *late, Kept &kept) {
    kept.slot = new_slot();
    kept.addresses = std::make_unique<llvm::SSAUpdater>();
    kept.addresses->Initialize(kept.slot->getType(), "");
    const Unwritten::Point start = start_of(*late);
    kept.addresses->AddAvailableValue(start.block, address_of(late));
    for (const Unwritten::Point &write : kept.writes)
      kept.addresses->AddAvailableValue(write.block, kept.slot);
    for (const Unwritten::Point &write : kept.writes) {
      // Before the first write, so it is the address with which the block is entered.
      llvm::Value *cells = write.block == start.block
                               ? address_of(late)
                               : kept.addresses->GetValueInMiddleOfBlock(write.block);
      llvm::Instruction *at = unwritten_->at(write);
      llvm::Value *id = read_before(at, cells);
      llvm::IRBuilder<>(at).CreateStore(id, kept.slot);
    }
  }

  llvm::Value *read_before(llvm::Instruction *at, llvm::Value *cells) {
    llvm::IRBuilder<> builder(at);
    if (!builder.getCurrentDebugLocation() && function_.getSubprogram() != nullptr)
      builder.SetCurrentDebugLocation(
          llvm::DILocation::get(function_.getContext(), 0, 0, function_.getSubprogram()));
    return read_id(builder, cells, cells_);
  }

  llvm::Value *read_late(llvm::Instruction *late, llvm::BasicBlock *block) {
    llvm::Value *&made = made_[{late, block}];
    if (made == nullptr) {
      const Unwritten::Point at{block, read_at_.lookup({late, block})};
      made = read_before(unwritten_->at(at), address_at(late, at));
      if (!kept_.contains(late))
        note_late_read(*made);
    }
    return made;
  }

  llvm::Type *slot_type() const {
    return llvm::ArrayType::get(llvm::Type::getInt64Ty(function_.getContext()), cells_);
  }

  llvm::Constant *constant_cells(llvm::Constant *id) {
    auto *number = llvm::dyn_cast<llvm::ConstantInt>(id);
    llvm::SmallVector<uint64_t, 2> ids(cells_, 0);
    ids[0] = number != nullptr ? number->getZExtValue() : 0;
    return new llvm::GlobalVariable(
        *function_.getParent(), slot_type(), /*isConstant=*/true, llvm::GlobalValue::PrivateLinkage,
        llvm::ConstantDataArray::get(function_.getContext(), ids), "culprit.id");
  }

  // A place on the stack; the second cell has no id, so that the first is the newer one.
  llvm::AllocaInst *new_slot() {
    llvm::BasicBlock &entry = function_.getEntryBlock();
    llvm::IRBuilder<> builder(&entry, entry.begin());
    llvm::AllocaInst *slot = builder.CreateAlloca(slot_type());
    if (cells_ == 2) {
      builder.SetInsertPoint(entry.getFirstNonPHIOrDbgOrAlloca());
      builder.CreateStore(builder.getInt64(0),
                          builder.CreateConstGEP1_64(builder.getInt64Ty(), slot, 1));
    }
    return slot;
  }

  llvm::Value *spill(llvm::Value *id, llvm::BasicBlock *block) {
    llvm::AllocaInst *slot = new_slot();
    note_spill_slot(*slot);
    llvm::IRBuilder<>(block->getTerminator()).CreateStore(id, slot);
    return slot;
  }

  void fill(llvm::PHINode &phi) {
    llvm::PHINode *addresses = addresses_.lookup(&phi);
    llvm::DenseMap<llvm::BasicBlock *, llvm::Value *> known; // several edges from one block
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      llvm::BasicBlock *block = phi.getIncomingBlock(i);
      llvm::Value *&address = known[block];
      llvm::Value *input = phi.getIncomingValue(i);
      if (address == nullptr) {
        if (hands_on(phi, i))
          address = address_of(llvm::cast<llvm::Instruction>(input));
        else if (auto *constant = llvm::dyn_cast<llvm::Constant>(input))
          address = constant_cells(constant);
        else
          address = spill(input, block);
      }
      addresses->setIncomingValue(i, address);
    }
  }

  bool rewrite() {
    llvm::SmallVector<llvm::PHINode *, 8> phis;
    for (llvm::PHINode *phi : phis_)
      if (is_worth_it(*phi))
        phis.push_back(phi);
    llvm::SmallVector<llvm::Instruction *, 8> reads;
    for (const auto &[value, read] : reads_)
      if (is_worth_it(*value))
        reads.push_back(value);
    if (reads.empty())
      return false;
    for (llvm::PHINode *phi : phis) {
      auto *addresses = llvm::PHINode::Create(llvm::PointerType::get(function_.getContext(), 0),
                                              phi->getNumIncomingValues(), "");
      addresses->insertBefore(phi->getIterator());
      // SSAUpdater takes a block's predecessors from its first phi: none may be without.
      for (llvm::BasicBlock *block : phi->blocks())
        addresses->addIncoming(llvm::PoisonValue::get(addresses->getType()), block);
      addresses_[phi] = addresses;
    }
    for (auto &[late, kept] : kept_)
      if (is_worth_it(*late))
        keep(late, kept);
    for (const Asked &each : asked_)
      if (is_worth_it(*each.late))
        each.use->set(read_late(each.late, each.block));
    for (llvm::PHINode *phi : phis)
      fill(*phi);
    for (auto &[access, ids] : told_) {
      llvm::SmallVector<std::pair<unsigned, llvm::Value *>, 4> cells;
      for (const auto &[operand, late] : ids)
        if (is_worth_it(*late))
          cells.emplace_back(operand, address_at(late, unwritten_->before(*access)));
      if (!cells.empty())
        tell_from_cells(*access, cells, cells_);
    }
    for (llvm::PHINode *phi : phis)
      phi->replaceAllUsesWith(llvm::PoisonValue::get(phi->getType()));
    for (llvm::PHINode *phi : phis)
      phi->eraseFromParent();
    for (llvm::Instruction *read : reads)
      llvm::RecursivelyDeleteTriviallyDeadInstructions(read);
    return true;
  }

  struct Asked {
    llvm::Instruction *late;
    llvm::Use *use;
    llvm::BasicBlock *block;
  };

  llvm::Function &function_;
  unsigned cells_;
  IdReads reads_; // those that may be late
  llvm::SetVector<llvm::PHINode *> phis_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::BranchProbabilityInfo probabilities_;
  llvm::BlockFrequencyInfo frequencies_;
  std::optional<Unwritten> unwritten_;
  llvm::DenseMap<const llvm::Instruction *, Unwritten::Since> since_;
  llvm::DenseSet<const llvm::BasicBlock *> spilling_;
  llvm::EquivalenceClasses<llvm::Instruction *> groups_;
  llvm::DenseMap<llvm::Instruction *, Cost> costs_;
  llvm::SmallVector<Asked, 16> asked_;
  llvm::MapVector<std::pair<llvm::Instruction *, const llvm::BasicBlock *>, int> read_at_;
  llvm::MapVector<llvm::CallInst *, llvm::SmallVector<std::pair<unsigned, llvm::Instruction *>, 2>>
      told_;
  llvm::DenseMap<std::pair<llvm::Instruction *, llvm::BasicBlock *>, llvm::Value *> made_;
  llvm::DenseMap<const llvm::Instruction *, llvm::PHINode *> addresses_;
  llvm::MapVector<llvm::Instruction *, Kept> kept_;
};

// So that a function knows what its callees return.
std::vector<llvm::Function *> callees_first(llvm::Module &module) {
  std::vector<llvm::Function *> functions;
  llvm::CallGraph graph(module);
  for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component)
    for (const llvm::CallGraphNode *node : *component)
      if (llvm::Function *function = node->getFunction();
          function != nullptr && !function->isDeclaration())
        functions.push_back(function);
  return functions;
}

} // namespace

llvm::PreservedAnalyses LateReadsPass::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  bool changed = false;
  for (llvm::Function &function : module)
    if (function.getSection() == CULPRIT_TEXT_SECTION)
      take_results_apart(function);
  for (llvm::Function *function : callees_first(module)) {
    // What setjmp returns to a second time finds another stack.
    if (function->getSection() != CULPRIT_TEXT_SECTION || function->callsFunctionThatReturnsTwice())
      continue;
    for (const unsigned cells : {2U, 1U})
      changed |= LateReads(*function, cells).run();
    changed |= return_cells(*function);
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace culprit
