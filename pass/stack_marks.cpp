// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/stack_marks.h"

#include "pass/stack_gaps.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace culprit {

namespace {

// Return slots of all functions that call others, not only of those with watched variables: finds
// writes through stray pointers into frames that no overrun starts from, and costs two calls of the
// runtime in every such function.
constexpr bool kWatchesAllCallers = false;

constexpr uint64_t kReturnAddressSize = 8;

struct Life {
  llvm::AllocaInst *place;
  uint64_t size; // 0: variable
  llvm::Constant *variable;
  bool has_markers;
  uint64_t gap; // bytes of no object behind it
  llvm::Constant *gap_variable;
};

// The slot's address is wanted at entry and exits only, and is cheap: it is not kept.
llvm::Value *return_address_place(llvm::IRBuilder<> &builder) {
  return builder.CreateIntrinsic(llvm::Intrinsic::addressofreturnaddress, {builder.getPtrTy()}, {});
}

// Where the function's end is told: before a call that takes its place.
llvm::Instruction *exit_place(llvm::ReturnInst &end) {
  auto *call = llvm::dyn_cast_or_null<llvm::CallInst>(end.getPrevNonDebugInstruction());
  const bool is_tail = call != nullptr && call->isTailCall() &&
                       !llvm::isa<llvm::IntrinsicInst>(call) &&
                       (end.getReturnValue() == nullptr || end.getReturnValue() == call);
  return is_tail ? static_cast<llvm::Instruction *>(call) : &end;
}

class Marking {
public:
  Marking(llvm::Function &function, const std::vector<WatchedLocal> &locals, Names &names,
          Hooks &hooks)
      : function_(function), hooks_(hooks) {
    for (const WatchedLocal &local : locals)
      lives_.push_back({local.place, local.variable.size, names.local(local.variable),
                        local.place->isStaticAlloca() && has_markers(*local.place), local.gap,
                        local.gap != 0 ? names.local(gap_behind(local)) : nullptr});
    if (lives_.empty() && !(kWatchesAllCallers && calls_others()))
      return;
    const Variable slot = culprit::return_slot(function);
    return_slot_ = names.local(slot);
    return_slot_size_ = slot.size;
  }

  // What is found is found before anything is inserted.
  void insert() {
    find_lifetimes();
    const llvm::DenseMap<llvm::ReturnInst *, llvm::BitVector> live = live_at_exits();
    mark_unwinding();
    if (return_slot_ == nullptr)
      return;
    mark_entry();
    for (const auto &[marker, number] : starts_)
      begin(lives_[number], marker->getNextNode(), marker->getDebugLoc());
    for (const auto &[marker, number] : ends_)
      end(lives_[number], marker, marker->getDebugLoc());
    for (const Life &life : lives_)
      if (!life.place->isStaticAlloca())
        begin(life, life.place->getNextNode(), life.place->getDebugLoc());
    mark_stack_restores();
    for (llvm::BasicBlock &block : function_)
      if (auto *exit = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
        mark_exit(*exit, live.lookup(exit));
  }

private:
  static bool has_markers(const llvm::AllocaInst &place) {
    return llvm::any_of(place.users(), [](const llvm::User *user) {
      const auto *marker = llvm::dyn_cast<llvm::IntrinsicInst>(user);
      return marker != nullptr && marker->getIntrinsicID() == llvm::Intrinsic::lifetime_start;
    });
  }

  bool calls_others() const {
    for (const llvm::BasicBlock &block : function_)
      for (const llvm::Instruction &instruction : block)
        if (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction))
          return true;
    return false;
  }

  bool is_variable_length() const {
    return llvm::any_of(lives_, [](const Life &life) { return !life.place->isStaticAlloca(); });
  }

  void find_lifetimes() {
    for (unsigned i = 0; i < lives_.size(); ++i) {
      if (!lives_[i].has_markers)
        continue;
      for (llvm::User *user : lives_[i].place->users()) {
        auto *marker = llvm::dyn_cast<llvm::IntrinsicInst>(user);
        if (marker == nullptr)
          continue;
        if (marker->getIntrinsicID() == llvm::Intrinsic::lifetime_start)
          starts_.push_back({marker, i});
        else if (marker->getIntrinsicID() == llvm::Intrinsic::lifetime_end)
          ends_.push_back({marker, i});
      }
    }
  }

  // The variables with lifetimes that may have begun and not ended where the function returns.
  llvm::DenseMap<llvm::ReturnInst *, llvm::BitVector> live_at_exits() {
    llvm::DenseMap<const llvm::Instruction *, std::pair<unsigned, bool>> markers;
    for (const auto &[marker, number] : starts_)
      markers[marker] = {number, true};
    for (const auto &[marker, number] : ends_)
      markers[marker] = {number, false};
    llvm::DenseMap<const llvm::BasicBlock *, llvm::BitVector> live; // at the block's end
    for (const llvm::BasicBlock &block : function_)
      live[&block].resize(static_cast<unsigned>(lives_.size()));
    for (bool changes = !markers.empty(); changes;) {
      changes = false;
      for (const llvm::BasicBlock &block : function_) {
        llvm::BitVector now(static_cast<unsigned>(lives_.size()));
        for (const llvm::BasicBlock *before : llvm::predecessors(&block))
          now |= live[before];
        for (const llvm::Instruction &instruction : block)
          if (const auto found = markers.find(&instruction); found != markers.end())
            now[found->second.first] = found->second.second;
        changes = changes || now != live[&block];
        live[&block] = std::move(now);
      }
    }
    llvm::DenseMap<llvm::ReturnInst *, llvm::BitVector> exits;
    for (llvm::BasicBlock &block : function_)
      if (auto *exit = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
        exits[exit] = live[&block];
    return exits;
  }

  // Of a variable of constant size.
  void begin(const Life &life, llvm::IRBuilder<> &builder) {
    hooks_.call(builder, Hooks::local_on, {life.place, life.variable});
    if (life.gap != 0)
      hooks_.call(builder, Hooks::local_on,
                  {builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), life.place, life.size),
                   life.gap_variable});
  }

  void begin(const Life &life, llvm::Instruction *before, const llvm::DebugLoc &location) {
    llvm::IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(location);
    if (life.place->isStaticAlloca())
      return begin(life, builder);
    const llvm::DataLayout &layout = function_.getParent()->getDataLayout();
    llvm::Value *count =
        builder.CreateZExtOrTrunc(life.place->getArraySize(), builder.getInt64Ty());
    llvm::Value *size = builder.CreateMul(
        count, builder.getInt64(layout.getTypeAllocSize(life.place->getAllocatedType())));
    hooks_.call(builder, Hooks::local_sized_on, {life.place, size, life.variable});
  }

  void end(const Life &life, llvm::Instruction *before, const llvm::DebugLoc &location) {
    llvm::IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(location);
    hooks_.call(builder, Hooks::local_off, {life.place, builder.getInt64(life.size + life.gap)});
  }

  // The slot ends behind the return address, and may begin before it.
  llvm::Value *return_slot_start(llvm::IRBuilder<> &builder) const {
    llvm::Value *place = return_address_place(builder);
    const uint64_t before = return_slot_size_ - kReturnAddressSize;
    return before == 0 ? place : builder.CreatePtrAdd(place, builder.getInt64(0 - before));
  }

  void mark_entry() {
    // Behind all static variables, which the first blocks of inlined functions may have left apart.
    llvm::Instruction *first = &*function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    for (const Life &life : lives_)
      if (life.place->isStaticAlloca() && first->comesBefore(life.place))
        first = life.place->getNextNode();
    llvm::IRBuilder<> builder(first);
    if (llvm::DISubprogram *subprogram = function_.getSubprogram())
      builder.SetCurrentDebugLocation(
          llvm::DILocation::get(function_.getContext(), 0, 0, subprogram));
    hooks_.call(builder, Hooks::local_on, {return_slot_start(builder), return_slot_});
    for (const Life &life : lives_)
      if (life.place->isStaticAlloca() && !life.has_markers)
        begin(life, builder);
  }

  void mark_exit(llvm::ReturnInst &exit, const llvm::BitVector &live) {
    llvm::Instruction *place = exit_place(exit);
    llvm::IRBuilder<> builder(place);
    builder.SetCurrentDebugLocation(exit.getDebugLoc());
    if (is_variable_length()) {
      hooks_.call(
          builder, Hooks::unwound,
          {builder.CreateConstGEP1_64(builder.getPtrTy(), return_address_place(builder), 1)});
      return;
    }
    for (unsigned i = 0; i < lives_.size(); ++i)
      if (!lives_[i].has_markers || live[i])
        end(lives_[i], place, exit.getDebugLoc());
    hooks_.call(builder, Hooks::local_off,
                {return_slot_start(builder), builder.getInt64(return_slot_size_)});
  }

  void mark_stack_restores() {
    if (!is_variable_length())
      return;
    std::vector<llvm::IntrinsicInst *> restores;
    for (llvm::BasicBlock &block : function_)
      for (llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
            call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::stackrestore)
          restores.push_back(call);
    for (llvm::IntrinsicInst *restore : restores) {
      llvm::IRBuilder<> builder(restore->getNextNode());
      builder.SetCurrentDebugLocation(restore->getDebugLoc());
      hooks_.call(builder, Hooks::unwound, {restore->getArgOperand(0)});
    }
  }

  void mark_unwinding() {
    std::vector<llvm::Instruction *> places;
    for (llvm::BasicBlock &block : function_) {
      if (block.isLandingPad())
        places.push_back(&*block.getFirstInsertionPt());
      for (llvm::Instruction &instruction : block) {
        const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (call == nullptr || !call->hasFnAttr(llvm::Attribute::ReturnsTwice))
          continue;
        if (const auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(call))
          places.push_back(&*invoke->getNormalDest()->getFirstInsertionPt());
        else
          places.push_back(instruction.getNextNode());
      }
    }
    for (llvm::Instruction *place : places) {
      llvm::IRBuilder<> builder(place);
      hooks_.call(builder, Hooks::unwound, {builder.CreateStackSave()});
    }
  }

  llvm::Function &function_;
  Hooks &hooks_;
  std::vector<Life> lives_;
  llvm::Constant *return_slot_ = nullptr;
  uint64_t return_slot_size_ = 0;
  std::vector<std::pair<llvm::IntrinsicInst *, unsigned>> starts_; // and positions in lives_
  std::vector<std::pair<llvm::IntrinsicInst *, unsigned>> ends_;
};

} // namespace

void insert_stack_marks(llvm::Function &function, const std::vector<WatchedLocal> &locals,
                        Names &names, Hooks &hooks) {
  Marking(function, locals, names, hooks).insert();
}

} // namespace culprit
