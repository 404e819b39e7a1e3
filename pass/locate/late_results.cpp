// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/late_results.h"

#include "abi/locate.h"
#include "pass/locate/changed_results.h"
#include "pass/locate/id_reads.h"
#include "pass/locate/unwritten.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <string>

namespace culprit {

namespace {

constexpr llvm::StringLiteral kReturnsCells = "culprit-returns-cells"; // element of the result
constexpr double kWorthIt = 0.9;                                       // of what it was before
constexpr double kSpill = 0.7; // writing an id to memory, beside reading one

class LateResult {
public:
  LateResult(llvm::Function &function, unsigned element, unsigned cells)
      : function_(function), element_(element), cells_(cells),
        reads_(find_id_reads(function, cells)), late_(find_late_id_reads(function, cells)),
        unwritten_(function) {}

  bool is_worth_it() {
    if (reads_.empty() && late_.empty())
      return false;
    llvm::DominatorTree dominators(function_);
    llvm::LoopInfo loops(dominators);
    llvm::BranchProbabilityInfo probabilities(function_, loops, nullptr, &dominators, nullptr);
    llvm::BlockFrequencyInfo frequencies(function_, probabilities, loops);
    double before = 0;
    double after = 0;
    for (llvm::BasicBlock &block : function_)
      if (auto *end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
        llvm::Value *id = element_returned(*end, element_);
        if (id == nullptr)
          return false;
        for (const Part &part : parts_of(*end, id)) {
          const auto often =
              static_cast<double>(frequencies.getBlockFreq(part.last->getParent()).getFrequency());
          if (part.cells != nullptr && part.id->hasOneUse())
            before += often, spills_ |= !slots_of(*part.cells).empty();
          else if (part.cells == nullptr && !llvm::isa<llvm::Constant>(part.id))
            after += kSpill * often, spills_ = true;
        }
        ends_.emplace_back(end, id);
      }
    return after < kWorthIt * before && (!spills_ || (may_write_variables() && has_room()));
  }

  void make() {
    auto *old = llvm::cast<llvm::StructType>(function_.getReturnType());
    llvm::SmallVector<llvm::Type *, 4> elements(old->elements());
    elements[element_] = llvm::PointerType::get(function_.getContext(), 0);
    auto *type = llvm::StructType::get(function_.getContext(), elements, old->isPacked());
    for (const auto &[end, id] : ends_)
      change_end(*end, *type, element_, *cells_at(*end, id));
    llvm::DenseMap<llvm::CallBase *, llvm::Value *> ids; // what callers read
    llvm::Function &changed =
        change_result(function_, *type, [&](llvm::ExtractValueInst &element, llvm::CallBase &call) {
          llvm::Value *&id = ids[&call];
          if (id == nullptr) {
            const llvm::BasicBlock::iterator behind = behind_call(call);
            llvm::IRBuilder<> builder(behind->getParent(), behind);
            builder.SetCurrentDebugLocation(call.getDebugLoc());
            id = read_id(builder, builder.CreateExtractValue(&call, element_), cells_);
          }
          element.replaceAllUsesWith(id);
        });
    changed.addFnAttr(kReturnsCells, std::to_string(element_));
  }

private:
  // An id that may be returned, and the end of the block on whose way it is.
  struct Part {
    llvm::Value *id;
    llvm::Value *cells; // null: it must be put somewhere
    llvm::Instruction *last;
  };

  Part part_of(llvm::Value *id, llvm::Instruction &last, const Unwritten::Point &at) const {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(id);
    if (instruction == nullptr)
      return {id, nullptr, &last};
    if (const auto *read = late_.find(instruction); read != late_.end()) {
      const bool is_there =
          at.block == instruction->getParent() && unwritten_.is_clean(*read->second.first, last) &&
          can_outlive(*read->second.cells) && !is_spilled_between(*read->second.first, last);
      return {id, is_there ? read->second.cells : nullptr, &last};
    }
    const auto *read = reads_.find(instruction);
    const bool is_there =
        read != reads_.end() && unwritten_.is_clean(*read->second.first, *read->second.last) &&
        unwritten_.since(unwritten_.after(*read->second.last), false).is_clean(at);
    return {id, is_there ? read->second.cells : nullptr, &last};
  }

  static llvm::PHINode *choice_at(const llvm::ReturnInst &end, llvm::Value *id) {
    auto *choice = llvm::dyn_cast<llvm::PHINode>(id);
    return choice != nullptr && choice->getParent() == end.getParent() ? choice : nullptr;
  }

  // Places on the stack that the address may be.
  static llvm::SmallSetVector<llvm::AllocaInst *, 4> slots_of(llvm::Value &cells) {
    llvm::SmallSetVector<llvm::AllocaInst *, 4> slots;
    llvm::SmallSetVector<llvm::Value *, 8> seen;
    seen.insert(&cells);
    for (size_t i = 0; i < seen.size(); ++i)
      if (auto *slot = llvm::dyn_cast<llvm::AllocaInst>(seen[i]))
        slots.insert(slot);
      else if (auto *choice = llvm::dyn_cast<llvm::PHINode>(seen[i]))
        seen.insert(choice->op_begin(), choice->op_end());
    return slots;
  }

  static bool can_outlive(llvm::Value &cells) {
    return llvm::all_of(slots_of(cells), [](auto *slot) { return is_spill_slot(*slot); });
  }

  static bool is_spilled_between(const llvm::Instruction &from, const llvm::Instruction &to) {
    return llvm::any_of(
        llvm::make_range(from.getIterator(), to.getIterator()), [](const llvm::Instruction &each) {
          const auto *store = llvm::dyn_cast<llvm::StoreInst>(&each);
          return store != nullptr && llvm::isa<llvm::AllocaInst>(store->getPointerOperand());
        });
  }

  // An id is put there right before it is looked at, without a call between: a variable will do.
  void let_outlive(llvm::Value &cells) {
    for (llvm::AllocaInst *slot : slots_of(cells)) {
      slot->replaceAllUsesWith(new_variable());
      slot->eraseFromParent();
    }
  }

  // One, or of a choice that is made right before one for each way.
  llvm::SmallVector<Part, 4> parts_of(llvm::ReturnInst &end, llvm::Value *id) const {
    llvm::PHINode *choice = choice_at(end, id);
    if (choice == nullptr || !unwritten_.is_clean(end.getParent()->front(), end))
      return {part_of(id, end, unwritten_.before(end))};
    llvm::SmallVector<Part, 4> parts;
    for (unsigned i = 0; i < choice->getNumIncomingValues(); ++i) {
      llvm::Instruction &last = *choice->getIncomingBlock(i)->getTerminator();
      Part part = part_of(choice->getIncomingValue(i), last, unwritten_.after(last));
      // What an invoke returns is not there yet where it ends.
      if (part.cells == nullptr && (part.id == &last || last.isEHPad()))
        return {part_of(id, end, unwritten_.before(end))};
      parts.push_back(part);
    }
    return parts;
  }

  // Else its callers may be taken to leave all memory as it is, and the variable with it.
  bool may_write_variables() const {
    return llvm::isModSet(function_.getMemoryEffects().getModRef(llvm::IRMemLocation::Other));
  }

  llvm::GlobalVariable *variable(llvm::ArrayRef<uint64_t> ids, llvm::StringRef name,
                                 bool is_constant) {
    llvm::Module &module = *function_.getParent();
    auto *content = llvm::ConstantDataArray::get(module.getContext(), ids);
    return new llvm::GlobalVariable(module, content->getType(), is_constant,
                                    llvm::GlobalValue::PrivateLinkage, content, name);
  }

  llvm::GlobalVariable *new_variable() {
    const uint64_t none[] = {0, 0};
    llvm::GlobalVariable *made =
        variable(llvm::ArrayRef(none, cells_), "culprit.result_id", /*is_constant=*/false);
    made->setSection(CULPRIT_RETURNED_SECTION);
    made->setAlignment(llvm::Align(sizeof(uint64_t))); // no gaps
    return made;
  }

  bool has_room() const {
    size_t bytes = cells_ * sizeof(uint64_t); // in case it needs one of its own
    llvm::SmallPtrSet<const llvm::AllocaInst *, 8> slots;
    for (const auto &[id, read] : late_)
      for (const llvm::AllocaInst *slot : slots_of(*read.cells))
        if (slots.insert(slot).second)
          bytes += cells_ * sizeof(uint64_t);
    for (const llvm::GlobalVariable &variable : function_.getParent()->globals())
      if (variable.hasSection() && variable.getSection() == CULPRIT_RETURNED_SECTION)
        bytes += variable.getValueType()->getArrayNumElements() * sizeof(uint64_t);
    return bytes <= CULPRIT_RETURNED_BYTES;
  }

  // The second cell has no id, so that the first is the newer one.
  llvm::Value *cells_of(const Part &part) {
    if (part.cells != nullptr) {
      let_outlive(*part.cells);
      return part.cells;
    }
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(part.id)) {
      const auto *number = llvm::dyn_cast<llvm::ConstantInt>(constant);
      const uint64_t ids[] = {number != nullptr ? number->getZExtValue() : 0, 0};
      return variable(llvm::ArrayRef(ids, cells_), "culprit.id", /*is_constant=*/true);
    }
    if (variable_ == nullptr)
      variable_ = new_variable();
    llvm::IRBuilder<>(part.last).CreateStore(part.id, variable_);
    return variable_;
  }

  llvm::Value *cells_at(llvm::ReturnInst &end, llvm::Value *id) {
    const llvm::SmallVector<Part, 4> parts = parts_of(end, id);
    llvm::PHINode *choice = choice_at(end, id);
    if (choice == nullptr || parts.front().last == &end)
      return cells_of(parts.front());
    auto *cells = llvm::PHINode::Create(llvm::PointerType::get(function_.getContext(), 0),
                                        choice->getNumIncomingValues(), "");
    cells->insertBefore(choice->getIterator());
    llvm::DenseMap<llvm::BasicBlock *, llvm::Value *> known; // several edges from one block
    for (const auto &[part, block] : llvm::zip_equal(parts, choice->blocks())) {
      llvm::Value *&address = known[block];
      if (address == nullptr)
        address = cells_of(part);
      cells->addIncoming(address, block);
    }
    return cells;
  }

  llvm::Function &function_;
  unsigned element_;
  unsigned cells_;
  IdReads reads_;
  IdReads late_;
  Unwritten unwritten_;
  llvm::SmallVector<std::pair<llvm::ReturnInst *, llvm::Value *>, 4> ends_;
  bool spills_ = false;
  llvm::GlobalVariable *variable_ = nullptr;
};

} // namespace

bool return_cells(llvm::Function &function) {
  if (!can_change_result(function))
    return false;
  const auto *result = llvm::cast<llvm::StructType>(function.getReturnType());
  for (unsigned element = 1; element < result->getNumElements(); ++element)
    if (result->getElementType(element)->isIntegerTy(64))
      for (const unsigned cells : {2U, 1U})
        if (LateResult late(function, element, cells); late.is_worth_it()) {
          late.make();
          return true;
        }
  return false;
}

bool is_returned_cells(const llvm::Value &address) {
  const auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(&address);
  const auto *call =
      part != nullptr ? llvm::dyn_cast<llvm::CallBase>(part->getAggregateOperand()) : nullptr;
  const llvm::Function *callee = call != nullptr ? call->getCalledFunction() : nullptr;
  unsigned element = 0;
  return callee != nullptr && part->getNumIndices() == 1 &&
         !callee->getFnAttribute(kReturnsCells).getValueAsString().getAsInteger(10, element) &&
         part->getIndices().front() == element;
}

} // namespace culprit
