// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/stack_marks.h"

#include "abi/access.h"
#include "pass/stack_gaps.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cstddef>

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
  bool owns_granules;
};

// Granules whose tags the code writes itself.
struct Owned {
  llvm::Value *start;
  uint64_t size;
  uint64_t granules;
  llvm::Constant *variable;
  llvm::Constant *gap_variable; // null: none
};

constexpr unsigned kBehindGs = 256; // LLVM's address space of what gs is the base of
constexpr unsigned kTagBits = 16;

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
      lives_.push_back({local.place, local.variable.size, names.local(local.variable, local.gap),
                        local.place->isStaticAlloca() && has_markers(*local.place), local.gap,
                        local.gap != 0 ? names.local(gap_behind(local)) : nullptr,
                        local.owns_granules});
    if (lives_.empty() && !(kWatchesAllCallers && calls_others()))
      return;
    const Variable slot = culprit::return_slot(function);
    return_slot_ = names.local(slot);
    return_slot_size_ = slot.size;
    owns_return_slot_ = llvm::all_of(lives_, [](const Life &life) { return life.owns_granules; });
  }

  // What is found is found before anything is inserted.
  void insert() {
    find_lifetimes();
    const Exits live = live_at_exits();
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
    for (const auto &[exit, alive] : live)
      mark_exit(*exit, alive);
  }

private:
  using Exits = llvm::MapVector<llvm::ReturnInst *, llvm::BitVector>;

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
  Exits live_at_exits() {
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
    Exits exits;
    for (llvm::BasicBlock &block : function_)
      if (auto *exit = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
        exits[exit] = live[&block];
    return exits;
  }

  // Its granules are few enough for the code to write their tags.
  static bool is_owned(const Life &life) {
    return life.owns_granules && granules_of(life) <= CULPRIT_OWN_GRANULES;
  }
  static uint64_t granules_of(const Life &life) { return (life.size + life.gap) / CULPRIT_GRANULE; }
  static Owned owned(const Life &life) {
    return {life.place, life.size + life.gap, granules_of(life), life.variable, life.gap_variable};
  }
  Owned owned_slot(llvm::IRBuilder<> &builder) const {
    return {return_slot_start(builder), return_slot_size_, 1, return_slot_, nullptr};
  }

  llvm::Value *load_tags(llvm::IRBuilder<> &builder, const Owned &owned) {
    return Hooks::unsanitized(
        builder.CreateLoad(builder.getInt64Ty(),
                           builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), owned.variable,
                                                              offsetof(culprit_variable, tags))));
  }

  // In pieces of 4, 2 and 1.
  void store_tags(llvm::IRBuilder<> &builder, const Owned &owned, llvm::Value *tags) {
    llvm::Value *none =
        llvm::ConstantPointerNull::get(llvm::PointerType::get(function_.getContext(), kBehindGs));
    llvm::Value *granule = builder.CreateLShr(
        builder.CreatePtrToInt(owned.start, builder.getInt64Ty()), CULPRIT_GRANULE_SHIFT);
    llvm::Value *first = builder.CreateGEP(builder.getInt16Ty(), none, granule);
    for (uint64_t done = 0; done < owned.granules;) {
      const uint64_t piece = llvm::bit_floor(owned.granules - done);
      llvm::Value *part =
          builder.CreateTrunc(builder.CreateLShr(tags, done * kTagBits),
                              builder.getIntNTy(static_cast<unsigned>(piece * kTagBits)));
      Hooks::unsanitized(builder.CreateAlignedStore(
          part, builder.CreateConstGEP1_64(builder.getInt16Ty(), first, done), llvm::Align(2)));
      done += piece;
    }
  }

  // Before `before`: the slow way if `asks`, else the tags.
  void write_tags(llvm::Instruction *before, llvm::Value *asks, const Owned &owned,
                  llvm::Value *tags, Hooks::Hook hook, llvm::ArrayRef<llvm::Value *> arguments,
                  const llvm::DebugLoc &location) {
    llvm::Instruction *slowly = nullptr;
    llvm::Instruction *itself = nullptr;
    llvm::SplitBlockAndInsertIfThenElse(
        asks, before, &slowly, &itself,
        llvm::MDBuilder(function_.getContext()).createUnlikelyBranchWeights());
    llvm::IRBuilder<> builder(slowly);
    builder.SetCurrentDebugLocation(location);
    hooks_.call(builder, hook, arguments);
    builder.SetInsertPoint(itself);
    builder.SetCurrentDebugLocation(location);
    store_tags(builder, owned, tags);
  }

  void begin_owned(const Owned &owned, llvm::IRBuilder<> &builder, llvm::Instruction *before) {
    llvm::Type *wide = builder.getInt64Ty();
    llvm::Value *tags = load_tags(builder, owned);
    llvm::GlobalVariable &lowest =
        runtime_thread_local(*function_.getParent(), CULPRIT_LOWEST_LOCAL_SYMBOL, wide);
    llvm::Value *is_below = builder.CreateICmpULT(
        builder.CreatePtrToInt(owned.start, wide),
        Hooks::unsanitized(builder.CreateLoad(wide, builder.CreateThreadLocalAddress(&lowest))));
    llvm::Value *asks = builder.CreateOr(builder.CreateIsNull(tags), is_below);
    llvm::Value *gap = owned.gap_variable;
    if (gap == nullptr)
      gap = llvm::ConstantPointerNull::get(builder.getPtrTy());
    write_tags(before, asks, owned, tags, Hooks::local_owns, {owned.start, owned.variable, gap},
               builder.getCurrentDebugLocation());
  }

  void end_owned(const Owned &owned, llvm::IRBuilder<> &builder, llvm::Instruction *before) {
    llvm::Value *asks = builder.CreateIsNull(load_tags(builder, owned));
    write_tags(before, asks, owned, builder.getInt64(0), Hooks::local_owned,
               {owned.start, builder.getInt64(owned.size)}, builder.getCurrentDebugLocation());
  }

  // Of a variable of constant size.
  void begin_fixed(const Life &life, llvm::Instruction *before, const llvm::DebugLoc &location) {
    llvm::IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(location);
    if (is_owned(life))
      return begin_owned(owned(life), builder, before);
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
      return begin_fixed(life, before, location);
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
    if (is_owned(life))
      return end_owned(owned(life), builder, before);
    hooks_.call(builder, Hooks::local_off, {life.place, builder.getInt64(life.size + life.gap)});
  }

  // The slot ends behind the return address, and may begin before it.
  llvm::Value *return_slot_start(llvm::IRBuilder<> &builder) const {
    llvm::Value *place = return_address_place(builder);
    const uint64_t before = return_slot_size_ - kReturnAddressSize;
    return before == 0 ? place : builder.CreatePtrAdd(place, builder.getInt64(0 - before));
  }

  void mark_entry() {
    // Behind all static variables, which the first blocks of inlined functions may have left apart:
    // behind marks, the entry block has ended, and they would not be static any more.
    llvm::Instruction *first = &*function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    std::vector<llvm::AllocaInst *> apart;
    for (llvm::Instruction &instruction : function_.getEntryBlock())
      if (auto *place = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
          place != nullptr && place->isStaticAlloca() && first->comesBefore(place))
        apart.push_back(place);
    for (llvm::AllocaInst *place : apart)
      place->moveBefore(first);
    llvm::IRBuilder<> builder(first);
    if (llvm::DISubprogram *subprogram = function_.getSubprogram())
      builder.SetCurrentDebugLocation(
          llvm::DILocation::get(function_.getContext(), 0, 0, subprogram));
    if (owns_return_slot_)
      begin_owned(owned_slot(builder), builder, first);
    else
      hooks_.call(builder, Hooks::local_on, {return_slot_start(builder), return_slot_});
    for (const Life &life : lives_)
      if (life.place->isStaticAlloca() && !life.has_markers)
        begin_fixed(life, first, builder.getCurrentDebugLocation());
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
    builder.SetInsertPoint(place);
    builder.SetCurrentDebugLocation(exit.getDebugLoc());
    if (owns_return_slot_)
      return end_owned(owned_slot(builder), builder, place);
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
  bool owns_return_slot_ = false; // its granule is shared with nothing that has a name
  std::vector<std::pair<llvm::IntrinsicInst *, unsigned>> starts_; // and positions in lives_
  std::vector<std::pair<llvm::IntrinsicInst *, unsigned>> ends_;
};

} // namespace

void insert_stack_marks(llvm::Function &function, const std::vector<WatchedLocal> &locals,
                        Names &names, Hooks &hooks) {
  Marking(function, locals, names, hooks).insert();
}

} // namespace culprit
