// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/id_needs.h"

#include "pass/call_graph.h"
#include "pass/locate/id_parameters.h"
#include "pass/locate/telling_accesses.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace culprit {

namespace {

constexpr size_t kTerms = 4; // of one leaf that is read late: registers are few

const llvm::Value *without_constant_steps(const llvm::Value *address) {
  const auto *step = llvm::dyn_cast<llvm::GEPOperator>(address);
  while (step != nullptr && step->hasAllConstantIndices()) {
    address = step->getPointerOperand();
    step = llvm::dyn_cast<llvm::GEPOperator>(address);
  }
  return address;
}

// The variable that becomes registers, of which this is the address of a part.
const llvm::AllocaInst *register_at(const llvm::Value *address, const Plan &plan) {
  const auto *local = llvm::dyn_cast<llvm::AllocaInst>(without_constant_steps(address));
  const auto home = local != nullptr ? plan.homes.find(local) : plan.homes.end();
  const bool is_register =
      home != plan.homes.end() && (home->second == Home::promoted || home->second == Home::split);
  return is_register ? local : nullptr;
}

bool reads_memory(const llvm::LoadInst &load, const Plan &plan) {
  return load.isSimple() && load.getPointerAddressSpace() == 0 &&
         register_at(load.getPointerOperand(), plan) == nullptr;
}

bool changes_memory(const llvm::Instruction &instruction, const Plan &plan) {
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return register_at(store->getPointerOperand(), plan) == nullptr;
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const CallKind kind = kind_of(*call);
    if (kind != CallKind::nothing)
      return kind != CallKind::computed;
    const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call);
    return intrinsic == nullptr || !intrinsic->isAssumeLikeIntrinsic();
  }
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return !load->isSimple();
  return instruction.mayWriteToMemory();
}

// Values that stand in memory where they were read, since nothing was written.
class Unchanged {
public:
  explicit Unchanged(const Plan &plan) : plan_(plan) {}

  void enter(const llvm::BasicBlock &block) {
    state_ = State();
    if (const llvm::BasicBlock *only = block.getSinglePredecessor())
      if (const auto found = ends_.find(only); found != ends_.end())
        state_ = found->second;
  }
  void leave(const llvm::BasicBlock &block) { ends_[&block] = state_; }

  void pass(llvm::Instruction &instruction) {
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load != nullptr) {
      if (reads_memory(*load, plan_))
        state_.read[load] = load;
      else if (const auto *local = llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand()))
        if (llvm::LoadInst *origin = state_.variables.lookup(local))
          state_.read[load] = origin;
    }
    if (changes_memory(instruction, plan_)) {
      state_ = State();
      return;
    }
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    const llvm::AllocaInst *variable =
        store != nullptr ? register_at(store->getPointerOperand(), plan_) : nullptr;
    if (variable == nullptr)
      return;
    state_.variables.erase(variable);
    if (store->getPointerOperand() == variable && plan_.homes.lookup(variable) == Home::promoted &&
        !plan_.definitions.contains(store))
      if (llvm::LoadInst *origin = state_.read.lookup(store->getValueOperand()))
        state_.variables[variable] = origin;
  }

  llvm::LoadInst *origin(const llvm::Value *value) const { return state_.read.lookup(value); }

private:
  struct State {
    llvm::DenseMap<const llvm::Value *, llvm::LoadInst *> read;
    llvm::DenseMap<const llvm::AllocaInst *, llvm::LoadInst *> variables; // their values
  };
  const Plan &plan_;
  State state_;
  llvm::DenseMap<const llvm::BasicBlock *, State> ends_;
};

// What may run out of stack shows its last access where it may call itself again
// (FunctionRewriter::show_last), the one before that in its block or in those that lead to no
// other.
llvm::DenseSet<const llvm::Instruction *> shown_at_calls(llvm::Function &function,
                                                         const Plan &plan) {
  llvm::DenseSet<const llvm::Instruction *> shown;
  llvm::DenseMap<const llvm::BasicBlock *, const llvm::Instruction *> last_of;
  for (const llvm::BasicBlock *block :
       llvm::ReversePostOrderTraversal<llvm::Function *>(&function)) {
    const llvm::Instruction *last = last_of.lookup(block->getSinglePredecessor());
    for (const llvm::Instruction &instruction : *block) {
      const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call != nullptr && last != nullptr && plan.recursions.contains(call))
        shown.insert(last);
      if (const auto place = plan.places.find(&instruction);
          place != plan.places.end() && can_tell(instruction, place->second.leaves.size()))
        last = &instruction;
    }
    last_of[block] = last;
  }
  return shown;
}

// When a crash asks, the ids of these; nothing: it has to be known before.
LateLeaf late_terms(const Plan &plan, const Leaf &leaf, const Unchanged &unchanged) {
  llvm::LoadInst *origin = unchanged.origin(leaf.value);
  if (origin == nullptr)
    return {};
  LateLeaf terms{{origin, nullptr}};
  // Of an element that nobody has written, what its address is made of is asked as well.
  if (plan.elements.contains(origin))
    for (const Leaf &part : leaves_of_address(origin->getPointerOperand())) {
      llvm::LoadInst *late = unchanged.origin(part.value);
      if (late != nullptr && plan.elements.contains(late))
        late = nullptr;
      terms.push_back({late, part.value});
    }
  return terms.size() <= kTerms ? terms : LateLeaf();
}

} // namespace

void IdNeeds::add(llvm::Function &function, Plan &plan) {
  Analysed &analysed = functions_[&function];
  analysed.plan = &plan;
  analysed.takes_registers = passes_ids_in_registers(function);
}

void IdNeeds::find() {
  for (auto &[function, analysed] : functions_) {
    for (llvm::Instruction &instruction : llvm::instructions(*function))
      if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        if (const auto *local = register_at(store->getPointerOperand(), *analysed.plan))
          stores_[local].push_back(store);
    find_late(*function, *analysed.plan);
  }
  for (auto &[function, analysed] : functions_)
    for (llvm::Instruction &instruction : llvm::instructions(*function))
      look_at(instruction, analysed);
  while (!rest_.empty())
    follow(*rest_.pop_back_val());
  for (auto &[function, analysed] : functions_)
    for (llvm::Instruction &instruction : llvm::instructions(*function))
      if (!needed_.contains(&instruction))
        analysed.plan->unasked.insert(&instruction);
  drop_unseen();
}

// Definitions that no id will ever name: of values that only travel through registers to where
// nobody asks.
void IdNeeds::drop_unseen() {
  for (const auto &[local, stores] : stores_)
    if (!asked_.contains(local))
      for (const llvm::StoreInst *store : stores)
        plan_of(*store).definitions.erase(store);
  for (auto &[function, analysed] : functions_) {
    llvm::SmallVector<std::pair<const llvm::Instruction *, unsigned>, 8> unseen;
    for (const auto &[operand, definition] : analysed.plan->constants)
      if (!is_asked(*operand.first, operand.second))
        unseen.push_back(operand);
    for (const auto &operand : unseen)
      analysed.plan->constants.erase(operand);
  }
}

Plan &IdNeeds::plan_of(const llvm::Instruction &instruction) {
  return *functions_.find(const_cast<llvm::Function *>(instruction.getFunction()))->second.plan;
}

// Of a constant that is handed on.
bool IdNeeds::is_asked(const llvm::Instruction &to, unsigned operand) const {
  if (llvm::isa<llvm::PHINode, llvm::SelectInst>(to))
    return needed_.contains(&to);
  if (llvm::isa<llvm::ReturnInst>(to))
    return needed_results_.contains(&to);
  if (called_with_registers(to) != nullptr)
    return needed_.contains(called_function(llvm::cast<llvm::CallBase>(to))->getArg(operand));
  return true;
}

const IdNeeds::Analysed *IdNeeds::called_with_registers(const llvm::Value &value) const {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&value);
  const llvm::Function *callee = call != nullptr ? called_function(*call) : nullptr;
  const auto *found = functions_.find(const_cast<llvm::Function *>(callee));
  return found != functions_.end() && found->second.takes_registers ? &found->second : nullptr;
}

void IdNeeds::find_late(llvm::Function &function, Plan &plan) {
  llvm::DenseSet<const llvm::Instruction *> shown;
  if (!plan.recursions.empty())
    shown = shown_at_calls(function, plan);
  Unchanged unchanged(plan);
  for (llvm::BasicBlock &block : function) {
    unchanged.enter(block);
    for (llvm::Instruction &instruction : block) {
      if (const auto place = plan.places.find(&instruction); place != plan.places.end())
        if (can_tell(instruction, place->second.leaves.size()) && !shown.contains(&instruction))
          for (const auto &[i, leaf] : llvm::enumerate(place->second.leaves)) {
            LateLeaf terms = late_terms(plan, leaf, unchanged);
            if (!terms.empty())
              plan.late[{&instruction, static_cast<unsigned>(i)}] = std::move(terms);
          }
      unchanged.pass(instruction);
    }
    unchanged.leave(block);
  }
}

void IdNeeds::need(const llvm::Value *value) {
  if (llvm::isa<llvm::Instruction, llvm::Argument>(value) && needed_.insert(value).second)
    rest_.push_back(value);
}

void IdNeeds::need_operands(const llvm::Instruction &instruction) {
  for (const llvm::Value *operand : instruction.operands())
    need(operand);
}

void IdNeeds::need_result(const llvm::Instruction &result) {
  needed_results_.insert(&result);
  need_operands(result);
}

void IdNeeds::look_at(llvm::Instruction &instruction, const Analysed &analysed) {
  const Plan &plan = *analysed.plan;
  if (const auto place = plan.places.find(&instruction); place != plan.places.end())
    for (const auto &[i, leaf] : llvm::enumerate(place->second.leaves)) {
      const auto late = plan.late.find({&instruction, static_cast<unsigned>(i)});
      if (late == plan.late.end()) {
        need(leaf.value);
        continue;
      }
      for (const LateTerm &term : late->second)
        if (term.load == nullptr)
          need(term.value);
    }
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    // The variable's own needs tell whether what it holds is needed.
    if (plan.may_go_astray.contains(store) ||
        (!plan.definitions.contains(store) &&
         register_at(store->getPointerOperand(), plan) == nullptr))
      need(store->getValueOperand());
  } else if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const CallKind kind = kind_of(*call);
    // The function called has its own needs.
    if (kind != CallKind::nothing && kind != CallKind::computed &&
        called_with_registers(*call) == nullptr)
      need_operands(*call);
  } else if (llvm::isa<llvm::ReturnInst>(instruction)) {
    // And so have those who call this one.
    const auto is_analysed = [&](const llvm::User *user) {
      return functions_.contains(
          const_cast<llvm::Function *>(llvm::cast<llvm::Instruction>(user)->getFunction()));
    };
    if (!analysed.takes_registers || !llvm::all_of(instruction.getFunction()->users(), is_analysed))
      need_result(instruction);
  } else if (llvm::isa<llvm::ResumeInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst,
                       llvm::VAArgInst>(instruction)) {
    need_operands(instruction);
  }
}

void IdNeeds::follow(const llvm::Value &value) {
  if (const auto *argument = llvm::dyn_cast<llvm::Argument>(&value)) {
    const auto *analysed = functions_.find(const_cast<llvm::Function *>(argument->getParent()));
    if (analysed != functions_.end() && analysed->second.takes_registers)
      for (const llvm::User *user : argument->getParent()->users())
        need(llvm::cast<llvm::CallBase>(user)->getArgOperand(argument->getArgNo()));
    return;
  }
  const auto &instruction = llvm::cast<llvm::Instruction>(value);
  const auto *analysed = functions_.find(const_cast<llvm::Function *>(instruction.getFunction()));
  if (analysed == functions_.end())
    return; // of a function whose ids are all read
  const Plan &plan = *analysed->second.plan;
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&value)) {
    if (plan.elements.contains(load))
      need(load->getPointerOperand());
    if (const auto *local = register_at(load->getPointerOperand(), plan);
        local != nullptr && asked_.insert(local).second)
      for (const llvm::StoreInst *store : stores_[local])
        if (!plan.definitions.contains(store) || plan.may_go_astray.contains(store))
          need(store->getValueOperand());
  } else if (const auto *select = llvm::dyn_cast<llvm::SelectInst>(&value)) {
    need(select->getTrueValue());
    need(select->getFalseValue());
    if (is_truth_constant(*select->getTrueValue()) || is_truth_constant(*select->getFalseValue()))
      need(select->getCondition());
  } else if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(&value)) {
    need_operands(*phi);
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
      if (const llvm::Value *condition =
              chosen_by(*phi->getIncomingValue(i), *phi->getIncomingBlock(i)))
        need(condition);
  } else if (called_with_registers(value) != nullptr) {
    for (const llvm::BasicBlock &block : *called_function(llvm::cast<llvm::CallBase>(value)))
      if (const auto *result = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
        need_result(*result);
  } else if (!llvm::isa<llvm::AllocaInst>(value)) {
    need_operands(instruction);
  }
}

} // namespace culprit
