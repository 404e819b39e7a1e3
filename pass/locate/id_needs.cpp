// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/id_needs.h"

#include "pass/locate/telling_accesses.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace culprit {

namespace {

constexpr size_t kTerms = 4; // of one leaf that is read late: registers are few

// The variable that becomes registers, of which this is the address of a part.
const llvm::AllocaInst *register_at(const llvm::Value *address, const Plan &plan) {
  const auto *local = llvm::dyn_cast<llvm::AllocaInst>(address->stripInBoundsConstantOffsets());
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

class Needs {
public:
  Needs(llvm::Function &function, Plan &plan) : function_(function), plan_(plan) {}

  void find() {
    for (llvm::Instruction &instruction : llvm::instructions(function_))
      if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        if (const auto *local = register_at(store->getPointerOperand(), plan_))
          stores_[local].push_back(store);
    // What may run out of stack shows its last access at each call (FunctionRewriter::show_last).
    if (!plan_.may_recur)
      find_late();
    for (llvm::Instruction &instruction : llvm::instructions(function_))
      look_at(instruction);
    while (!rest_.empty())
      follow(*rest_.pop_back_val());
    for (llvm::Instruction &instruction : llvm::instructions(function_))
      if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
          load != nullptr && reads_memory(*load, plan_) && !needed_.contains(load))
        plan_.unasked.insert(load);
  }

private:
  void find_late() {
    Unchanged unchanged(plan_);
    for (llvm::BasicBlock &block : function_) {
      unchanged.enter(block);
      for (llvm::Instruction &instruction : block) {
        if (const auto place = plan_.places.find(&instruction); place != plan_.places.end())
          if (can_tell(instruction, place->second.leaves.size()))
            for (const auto &[i, leaf] : llvm::enumerate(place->second.leaves))
              find_late(instruction, static_cast<unsigned>(i), leaf, unchanged);
        unchanged.pass(instruction);
      }
      unchanged.leave(block);
    }
  }

  void find_late(llvm::Instruction &access, unsigned number, const Leaf &leaf,
                 const Unchanged &unchanged) {
    llvm::LoadInst *origin = unchanged.origin(leaf.value);
    if (origin == nullptr)
      return;
    LateLeaf terms{{origin, nullptr}};
    // Of an element that nobody has written, what its address is made of is asked as well.
    if (plan_.elements.contains(origin))
      for (const Leaf &part : leaves_of_address(origin->getPointerOperand())) {
        llvm::LoadInst *late = unchanged.origin(part.value);
        if (late != nullptr && plan_.elements.contains(late))
          late = nullptr;
        terms.push_back({late, part.value});
      }
    if (terms.size() <= kTerms)
      plan_.late[{&access, number}] = std::move(terms);
  }

  void need(const llvm::Value *value) {
    if (llvm::isa<llvm::Instruction>(value) && needed_.insert(value).second)
      rest_.push_back(llvm::cast<llvm::Instruction>(value));
  }
  void need_operands(const llvm::Instruction &instruction) {
    for (const llvm::Value *operand : instruction.operands())
      need(operand);
  }

  void look_at(llvm::Instruction &instruction) {
    if (const auto place = plan_.places.find(&instruction); place != plan_.places.end())
      for (const auto &[i, leaf] : llvm::enumerate(place->second.leaves)) {
        const auto late = plan_.late.find({&instruction, static_cast<unsigned>(i)});
        if (late == plan_.late.end()) {
          need(leaf.value);
          continue;
        }
        for (const LateTerm &term : late->second)
          if (term.load == nullptr)
            need(term.value);
      }
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      // The variable's own needs tell whether what it holds is needed.
      if (plan_.may_go_astray.contains(store) ||
          (!plan_.definitions.contains(store) &&
           register_at(store->getPointerOperand(), plan_) == nullptr))
        need(store->getValueOperand());
    } else if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      const CallKind kind = kind_of(*call);
      if (kind != CallKind::nothing && kind != CallKind::computed)
        need_operands(*call);
    } else if (llvm::isa<llvm::ReturnInst, llvm::ResumeInst, llvm::AtomicRMWInst,
                         llvm::AtomicCmpXchgInst, llvm::VAArgInst>(instruction)) {
      need_operands(instruction);
    }
  }

  void follow(const llvm::Instruction &value) {
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&value)) {
      if (plan_.elements.contains(load))
        need(load->getPointerOperand());
      if (const auto *local = register_at(load->getPointerOperand(), plan_))
        for (const llvm::StoreInst *store : stores_[local])
          if (!plan_.definitions.contains(store) || plan_.may_go_astray.contains(store))
            need(store->getValueOperand());
    } else if (const auto *select = llvm::dyn_cast<llvm::SelectInst>(&value)) {
      need(select->getTrueValue());
      need(select->getFalseValue());
    } else if (!llvm::isa<llvm::AllocaInst>(value)) {
      need_operands(value);
    }
  }

  llvm::Function &function_;
  Plan &plan_;
  llvm::DenseMap<const llvm::AllocaInst *, llvm::SmallVector<const llvm::StoreInst *, 4>> stores_;
  llvm::DenseSet<const llvm::Value *> needed_;
  llvm::SmallVector<const llvm::Instruction *, 32> rest_;
};

} // namespace

void find_id_needs(llvm::Function &function, Plan &plan) { Needs(function, plan).find(); }

} // namespace culprit
