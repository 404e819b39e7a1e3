// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/rewriter.h"

#include "abi/locate.h"
#include "pass/locate/slots.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

namespace culprit {

namespace {

// The value, which is used no earlier than what was shown: a division has no order with stores, and
// the code generator would move it before those that tell of it.
llvm::Value *not_before_here(llvm::IRBuilder<> &builder, llvm::Value *value) {
  llvm::Type *type = value->getType();
  if (!type->isIntegerTy(8) && !type->isIntegerTy(16) && !type->isIntegerTy(32) &&
      !type->isIntegerTy(64))
    return value;
  auto *same = llvm::InlineAsm::get(llvm::FunctionType::get(type, {type}, false), "", "=r,0",
                                    /*hasSideEffects=*/true);
  llvm::CallInst *kept = builder.CreateCall(same, {value});
  kept->setDoesNotThrow();
  kept->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
  return kept;
}

} // namespace

FunctionRewriter::FunctionRewriter(llvm::Function &function, const Plan &plan, IdCode &code,
                                   LibraryIds &library, VariadicIds &variadic,
                                   IdParameters &parameters)
    : function_(function), plan_(plan), code_(code), library_(library), variadic_(variadic),
      parameters_(parameters), layout_(function.getParent()->getDataLayout()) {}

llvm::MDNode *FunctionRewriter::unlikely() const {
  return llvm::MDBuilder(function_.getContext()).createUnlikelyBranchWeights();
}

llvm::Value *FunctionRewriter::id_of(llvm::Value *value) const {
  const auto found = ids_.find(value);
  return found != ids_.end() ? found->second : code_.number(0);
}

void FunctionRewriter::set_id(llvm::Value *value, llvm::Value *id) {
  if (id != code_.number(0))
    ids_[value] = id;
}

llvm::Value *FunctionRewriter::id_handed_on(Builder &builder, llvm::Instruction &instruction,
                                            unsigned operand) {
  if (const unsigned definition = plan_.constants.lookup({&instruction, operand}))
    return code_.new_id(builder, definition);
  return id_of(instruction.getOperand(operand));
}

llvm::Value *FunctionRewriter::newest_operand(Builder &builder, llvm::Instruction &instruction) {
  // Of what nobody asks for, it is enough to know whether it is corrupt.
  const bool is_asked = !plan_.unasked.contains(&instruction);
  llvm::Value *id = code_.number(0);
  for (llvm::Value *operand : instruction.operands())
    id = is_asked ? code_.newer(builder, id, id_of(operand))
                  : code_.corrupt_with(builder, id, id_of(operand));
  return code_.derived(builder, id);
}

void FunctionRewriter::show(Builder &builder, const llvm::Instruction &at) {
  const auto place = plan_.places.find(&at);
  if (place == plan_.places.end())
    return;
  llvm::SmallVector<llvm::Value *, CULPRIT_LEAVES> ids;
  if (shows_by_itself(at, place->second))
    return;
  // Suppressed accesses show nothing.
  if (code_.suppresses())
    shown_.clear();
  for (const auto &[i, leaf] : llvm::enumerate(place->second.leaves)) {
    const Source source = source_of(leaf.value);
    if (shown_.size() <= i)
      shown_.resize(i + 1);
    ids.push_back(shown_[i] == source ? nullptr : id_of(leaf.value));
    shown_[i] = source;
  }
  if (code_.suppresses())
    shown_.clear();
  const bool by_row =
      function_.getSection() == CULPRIT_TEXT_SECTION &&
      llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(at);
  code_.show_place(builder, place->second.number, ids, by_row);
}

bool FunctionRewriter::shows_by_itself(const llvm::Instruction &at, const PlannedPlace &place) {
  if (function_.getSection() != CULPRIT_TEXT_SECTION || !can_tell(at, place.leaves.size()))
    return false;
  Telling telling{const_cast<llvm::Instruction *>(&at), place.number, {}};
  last_ = {place.number, {}};
  for (const auto &[i, leaf] : llvm::enumerate(place.leaves)) {
    telling.leaves.push_back(told_leaf(at, static_cast<unsigned>(i), leaf.value));
    last_.ids.push_back(id_of(leaf.value));
  }
  telling_.push_back(std::move(telling));
  return true;
}

ToldLeaf FunctionRewriter::told_leaf(const llvm::Instruction &at, unsigned number,
                                     llvm::Value *leaf) {
  const auto late = plan_.late.find({&at, number});
  // What is asked for elsewhere is in a register anyway.
  if (late == plan_.late.end() || !plan_.unasked.contains(late->second.front().load))
    return {{{id_of(leaf)}}};
  ToldLeaf told{{}, code_.last_initial()};
  for (const LateTerm &term : late->second) {
    if (term.load == nullptr) {
      told.terms.push_back({id_of(term.value)});
      continue;
    }
    llvm::Value *address = term.load->getPointerOperand();
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(address->getType()), 0);
    llvm::Value *base =
        address->stripAndAccumulateConstantOffsets(layout_, offset, /*AllowNonInbounds=*/true);
    told.terms.push_back({base, true, offset.getSExtValue(),
                          layout_.getTypeStoreSize(term.load->getType()).getKnownMinValue()});
  }
  return told;
}

void FunctionRewriter::show_last(Builder &builder) {
  if (last_.place == 0)
    return;
  llvm::SmallVector<llvm::Value *, 4> ids(last_.ids);
  code_.show_place(builder, last_.place, ids, /*by_row=*/false);
  shown_.clear();
}

FunctionRewriter::Source FunctionRewriter::source_of(const llvm::Value *leaf) const {
  const auto found = read_from_.find(leaf);
  return found != read_from_.end() ? found->second : Source{leaf, {0, 0}};
}

void FunctionRewriter::rewrite() {
  if (code_.suppresses()) {
    post_dominators_.emplace(function_);
    skipped_.emplace(function_, plan_, *post_dominators_);
  }
  llvm::SmallVector<llvm::Instruction *, 0> instructions;
  // Of the program's blocks, and the only one before each.
  llvm::DenseMap<const llvm::Instruction *, const llvm::BasicBlock *> starts;
  for (llvm::BasicBlock *block : llvm::ReversePostOrderTraversal<llvm::Function *>(&function_)) {
    starts[&block->front()] = block->getSinglePredecessor();
    for (llvm::Instruction &instruction : *block)
      instructions.push_back(&instruction);
  }
  for (llvm::BasicBlock &block : function_)
    origins_[block.getTerminator()] = &block;
  enter();
  for (llvm::Instruction *instruction : instructions) {
    if (const auto start = starts.find(instruction); start != starts.end()) {
      shown_.clear();
      last_ = last_of_.lookup(start->second);
    }
    if (const auto begins = plan_.returned.find(instruction); begins != plan_.returned.end())
      declare_returned(*instruction, begins->second);
    visit(*instruction);
    if (const llvm::BasicBlock *ended = origins_.lookup(instruction))
      last_of_[ended] = last_;
    if (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::DbgInfoIntrinsic>(instruction))
      shown_.clear();
  }
  finish_phis();
  show_stops();
  for (const Telling &each : telling_)
    make_telling(*each.access, each.place, each.leaves);
}

// Variables that become registers get their shadows, arguments their ids.
void FunctionRewriter::enter() {
  llvm::BasicBlock &entry = function_.getEntryBlock();
  // What is split off must leave no variable behind.
  llvm::SmallVector<llvm::AllocaInst *, 16> locals;
  for (llvm::Instruction &instruction : entry)
    if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        local != nullptr && llvm::isa<llvm::ConstantInt>(local->getArraySize()))
      locals.push_back(local);
  for (llvm::AllocaInst *local : llvm::reverse(locals))
    local->moveBefore(entry, entry.begin());
  give_shadows();
  give_rooms_to_parts();

  Builder builder(&*entry.getFirstNonPHIOrDbgOrAlloca());
  if (function_.getSubprogram() != nullptr)
    builder.SetCurrentDebugLocation(
        llvm::DILocation::get(function_.getContext(), 0, 0, function_.getSubprogram()));
  mark_place(builder, 0);
  keep_caller(builder);
  llvm::Value *is_meant = nullptr;
  if (!is_called_by_name_only(function_))
    is_meant =
        builder.CreateICmpEQ(builder.CreateLoad(builder.getPtrTy(), code_.callee()), &function_);
  for (llvm::Argument &argument : function_.args()) {
    if (argument.getArgNo() >= CULPRIT_ARGUMENT_IDS || argument.use_empty() ||
        argument.hasByValAttr())
      continue;
    llvm::Value *id = builder.CreateLoad(
        builder.getInt64Ty(), argument_slot(*function_.getParent(), argument.getArgNo()));
    if (is_meant != nullptr)
      id = builder.CreateSelect(is_meant, id, code_.number(0));
    set_id(&argument, code_.given(builder, id));
  }
}

void FunctionRewriter::visit(llvm::Instruction &instruction) {
  if (auto *load_instruction = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    load(*load_instruction);
  } else if (auto *store_instruction = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    store(*store_instruction);
  } else if (auto *swap = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    update(*swap, swap->getPointerOperand(), llvm::AtomicRMWInst::getPointerOperandIndex(),
           swap->getValOperand(), swap->getAlign());
  } else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    update(*exchange, exchange->getPointerOperand(),
           llvm::AtomicCmpXchgInst::getPointerOperandIndex(), exchange->getNewValOperand(),
           exchange->getAlign());
  } else if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
    llvm::PHINode *id = llvm::PHINode::Create(llvm::Type::getInt64Ty(function_.getContext()),
                                              phi->getNumIncomingValues(), "", phi->getIterator());
    phis_.emplace_back(phi, id);
    id_phis_.insert(id);
    set_id(phi, id);
  } else if (auto *choice = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    select(*choice);
  } else if (auto *a_call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    if (!llvm::isa<llvm::CallBrInst>(a_call))
      call(*a_call);
  } else if (auto *result = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
    give_back(*result);
  } else if (auto *way = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
    if (way->isConditional())
      branch(*way, way->getCondition());
  } else if (auto *table = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) {
    branch(*table, table->getCondition());
  } else if (auto *computed_way = llvm::dyn_cast<llvm::IndirectBrInst>(&instruction)) {
    branch(*computed_way, computed_way->getAddress());
  } else if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    Builder builder(local);
    llvm::Value *id = id_of(local->getArraySize());
    if (code_.suppresses() && id != code_.number(0))
      local->setOperand(
          0, builder.CreateSelect(code_.is_corrupt(builder, id),
                                  llvm::ConstantInt::get(local->getArraySize()->getType(), 1),
                                  local->getArraySize()));
  } else if (is_computed(instruction)) {
    compute(instruction);
  }
}

void FunctionRewriter::compute(llvm::Instruction &instruction) {
  if (auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    divide(*operation);
  if (const auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction))
    if (const auto found = record_ids_.find(part->getAggregateOperand());
        found != record_ids_.end()) {
      set_id(&instruction, found->second[part->getIndices().front()]);
      return;
    }
  Builder builder(&instruction);
  set_id(&instruction, newest_operand(builder, instruction));
}

void FunctionRewriter::divide(llvm::BinaryOperator &operation) {
  if (!plan_.places.contains(&operation))
    return;
  Builder builder(&operation);
  show(builder, operation);
  llvm::Value *divisor = operation.getOperand(1);
  llvm::Value *id = id_of(divisor);
  if (code_.suppresses() && id != code_.number(0))
    divisor = builder.CreateSelect(code_.is_corrupt(builder, id),
                                   llvm::ConstantInt::get(divisor->getType(), 1), divisor);
  operation.setOperand(1, not_before_here(builder, divisor));
  set_id(operation.getOperand(1), id);
}

void FunctionRewriter::select(llvm::SelectInst &select) {
  Builder builder(&select);
  llvm::Value *condition = select.getCondition();
  const auto id_of_choice = [&](unsigned operand) {
    return is_truth_constant(*select.getOperand(operand)) ? id_of(condition)
                                                          : id_handed_on(builder, select, operand);
  };
  llvm::Value *if_true = id_of_choice(1);
  llvm::Value *if_false = id_of_choice(2);
  llvm::Value *id = condition->getType()->isVectorTy()
                        ? code_.newer(builder, if_true, if_false)
                        : builder.CreateSelect(condition, if_true, if_false);
  set_id(&select, code_.tainted(builder, id, id_of(condition)));
}

void FunctionRewriter::finish_phis() {
  // A truth value that is known by the way taken (`a && b`) is the condition's that it was taken
  // by.
  const auto id_on_way = [&](Builder &builder, llvm::PHINode &phi, unsigned input) {
    const llvm::BasicBlock *origin = origin_of(phi.getIncomingBlock(input));
    llvm::Value *condition =
        origin != nullptr ? chosen_by(*phi.getIncomingValue(input), *origin) : nullptr;
    return condition != nullptr ? id_of(condition) : id_handed_on(builder, phi, input);
  };
  for (auto [phi, ids] : phis_) {
    llvm::DenseMap<llvm::BasicBlock *, llvm::Value *> known; // several edges from one block
    // Making an id may split the block it comes from, which the phi then follows.
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      llvm::BasicBlock *block = phi->getIncomingBlock(i);
      llvm::Value *&id = known[block];
      if (id == nullptr) {
        Builder builder(block->getTerminator());
        llvm::Value *made = jumps_.contains(block) ? code_.corrupt() : id_on_way(builder, *phi, i);
        known[phi->getIncomingBlock(i)] = made;
      }
      ids->addIncoming(known[phi->getIncomingBlock(i)], phi->getIncomingBlock(i));
    }
  }
}

} // namespace culprit
