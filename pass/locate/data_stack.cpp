// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/data_stack.h"

#include "abi/layout.h"
#include "abi/locate.h"
#include "pass/hooks.h"
#include "pass/locate/layout.h"
#include "pass/locate/slots.h"
#include "pass/locate/stains.h"
#include "pass/locate/variable_names.h"
#include "pass/work_reach.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <optional>

namespace culprit {

namespace {

// Nobody has written these 8 bytes; what lay there before was another function's.
void clear_cells(llvm::IRBuilder<> &builder, llvm::Value *address) {
  llvm::Type *wide = builder.getInt64Ty();
  auto number = [&](uint64_t value) { return llvm::ConstantInt::get(wide, value); };
  llvm::Value *offset = builder.CreateShl(
      builder.CreateAnd(builder.CreatePtrToInt(address, wide), number(CULPRIT_SHADOW_MASK)),
      number(CULPRIT_SHADOW_SHIFT));
  llvm::Value *cells = builder.CreateIntToPtr(
      builder.CreateAdd(offset, number(CULPRIT_SHADOW_BASE)), builder.getPtrTy());
  Hooks::unsanitized(builder.CreateAlignedStore(
      llvm::Constant::getNullValue(llvm::FixedVectorType::get(wide, 2)), cells, llvm::Align(8)));
}

constexpr llvm::Align kStackAlignment = llvm::Align::Constant<16>();
constexpr uint64_t kSentinelArea = 16; // as the saved frame pointer and the return address
constexpr uint64_t kArgumentUnit = 8;
constexpr uint64_t kSmallArgument = CULPRIT_STAIN_REACH; // bytes: its ids are copied in place

bool is_lifetime_marker(const llvm::User &user) {
  const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&user);
  return intrinsic != nullptr && intrinsic->isLifetimeStartOrEnd();
}

std::optional<int64_t> constant_step(const llvm::User &user, const llvm::DataLayout &layout) {
  const auto *step = llvm::dyn_cast<llvm::GetElementPtrInst>(&user);
  llvm::APInt offset(layout.getIndexSizeInBits(0), 0);
  if (step == nullptr || step->getType()->isVectorTy() ||
      !step->accumulateConstantOffset(layout, offset))
    return std::nullopt;
  return offset.getSExtValue();
}

// Only loaded and stored, at constant places inside?
bool is_split(const llvm::AllocaInst &place, uint64_t size, const llvm::DataLayout &layout) {
  struct Part {
    const llvm::Value *address;
    int64_t offset;
  };
  llvm::SmallVector<Part> parts = {{&place, 0}};
  auto is_inside = [&](int64_t offset, llvm::Type *type) {
    const llvm::TypeSize length = layout.getTypeStoreSize(type);
    return !length.isScalable() && offset >= 0 &&
           static_cast<uint64_t>(offset) + length.getFixedValue() <= size;
  };
  while (!parts.empty()) {
    const Part part = parts.pop_back_val();
    for (const llvm::User *user : part.address->users()) {
      if (is_lifetime_marker(*user))
        continue;
      if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(user);
          load != nullptr && load->isSimple() && is_inside(part.offset, load->getType()))
        continue;
      if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
          store != nullptr && store->isSimple() && store->getValueOperand() != part.address &&
          is_inside(part.offset, store->getValueOperand()->getType()))
        continue;
      const auto step = constant_step(*user, layout);
      if (!step)
        return false;
      parts.push_back({user, part.offset + *step});
    }
  }
  return true;
}

FrameVariable describe(llvm::Value &place, const llvm::DILocalVariable *variable, uint64_t size,
                       llvm::Align alignment) {
  return {.place = &place,
          .name = variable != nullptr ? variable->getName().str() : "",
          .size = size,
          .alignment = alignment,
          .is_argument = llvm::isa<llvm::Argument>(place)};
}

bool has_frames(const llvm::Function &function) {
  return !function.isDeclaration() && !function.hasAvailableExternallyLinkage() &&
         !function.hasFnAttribute(llvm::Attribute::Naked) && !function.isPresplitCoroutine() &&
         !is_ifunc_resolver(function);
}

bool must_tail_call(const llvm::Function &function) {
  return llvm::any_of(function, [](const llvm::BasicBlock &block) {
    return block.getTerminatingMustTailCall() != nullptr;
  });
}

} // namespace

Home home_of(const llvm::AllocaInst &place) {
  const llvm::DataLayout &layout = place.getModule()->getDataLayout();
  if (place.getAddressSpace() != 0 || place.isSwiftError() || place.isUsedWithInAlloca() ||
      !place.getAllocatedType()->isSized() || place.getAllocatedType()->isScalableTy() ||
      place.getAllocatedType()->isTargetExtTy())
    return Home::machine;
  if (!place.isStaticAlloca())
    return Home::dynamic;
  if (llvm::isAllocaPromotable(&place))
    return Home::promoted;
  const auto size = place.getAllocationSize(layout);
  return is_split(place, size->getFixedValue(), layout) ? Home::split : Home::frame;
}

FrameLayout lay_out(std::vector<FrameVariable> variables) {
  FrameLayout layout;
  layout.alignment = kStackAlignment;
  uint64_t depth = kSentinelArea; // below the arguments
  uint64_t height = 0;            // of the arguments
  for (FrameVariable &each : variables) {
    layout.alignment = std::max(layout.alignment, each.alignment);
    if (each.is_argument) {
      each.offset = llvm::alignTo(height, each.alignment);
      height = llvm::alignTo(each.offset + each.size, kArgumentUnit);
    } else {
      depth = llvm::alignTo(depth + each.size, each.alignment);
      each.offset = depth;
    }
  }
  const uint64_t base = llvm::alignTo(depth, layout.alignment); // where the arguments begin
  for (FrameVariable &each : variables)
    each.offset = each.is_argument ? base + each.offset : base - each.offset;
  layout.sentinel = base - kSentinelArea;
  layout.size = base + llvm::alignTo(height, layout.alignment);
  layout.variables = std::move(variables);
  return layout;
}

const FramePlan &DataStack::plan(llvm::Function &function) {
  std::unique_ptr<FramePlan> &plan = plans_[&function];
  if (plan != nullptr)
    return *plan;
  plan = std::make_unique<FramePlan>();
  if (!has_frames(function))
    return *plan;
  const llvm::DataLayout &data = module_.getDataLayout();
  const VariableNames names(function);
  std::vector<FrameVariable> variables;
  // The arguments of a call that must be a tail call may have to stay where the caller put them.
  const bool keeps_arguments = must_tail_call(function);
  for (llvm::Argument &argument : function.args()) {
    if (!argument.hasByValAttr())
      continue;
    llvm::Type *type = argument.getParamByValType();
    if (keeps_arguments)
      plan->left_by_value.push_back(&argument);
    else
      variables.push_back(describe(argument, names.variable(argument), data.getTypeAllocSize(type),
                                   argument.getParamAlign().value_or(llvm::Align(kArgumentUnit))));
  }
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block) {
      auto *place = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (place == nullptr)
        continue;
      const Home home =
          layout_ != nullptr && layout_->is_demoted(*place) ? Home::frame : home_of(*place);
      if (home == Home::dynamic)
        plan->dynamic.push_back(place);
      else if (home == Home::frame)
        variables.push_back(describe(*place, names.variable(*place),
                                     place->getAllocationSize(data)->getFixedValue(),
                                     place->getAlign()));
    }
  if (!variables.empty() || !plan->dynamic.empty())
    plan->layout = lay_out(std::move(variables));
  return *plan;
}

namespace {

class Move {
public:
  Move(llvm::Function &function, FramePlan &plan, Hooks &hooks, bool suppresses,
       LayoutTable *layout)
      : function_(function), module_(*function.getParent()), plan_(plan), hooks_(hooks),
        suppresses_(suppresses), table_(layout),
        pointer_type_(llvm::PointerType::get(module_.getContext(), 0)) {}

  void run() {
    find_arrivals();
    if (plan_.layout.size == 0 && arrivals_.empty() && plan_.left_by_value.empty())
      return;
    enter();
    for (llvm::AllocaInst *place : plan_.dynamic)
      allocate(*place);
    if (!plan_.dynamic.empty())
      replace_saves();
    for (llvm::Instruction *place : arrivals_)
      arrive(*place);
    if (plan_.layout.size != 0)
      for (llvm::Instruction *place : exits())
        leave(*place);
    // It reads and writes memory now, of which it was said to touch none or little.
    function_.removeFnAttr(llvm::Attribute::Memory);
  }

private:
  llvm::Constant *stack() {
    return module_.getOrInsertGlobal(CULPRIT_DATA_STACK_SYMBOL, pointer_type_);
  }
  // Volatile: a signal handler that runs in a function that calls nothing needs to know, too.
  void set_stack(llvm::IRBuilder<> &builder, llvm::Value *lowest) {
    Hooks::unsanitized(builder.CreateStore(lowest, stack(), /*isVolatile=*/true));
  }
  llvm::Value *return_address(llvm::IRBuilder<> &builder) {
    llvm::Value *address =
        builder.CreateIntrinsic(llvm::Intrinsic::returnaddress, {}, {builder.getInt32(0)});
    return builder.CreatePtrToInt(address, builder.getInt64Ty());
  }
  // The only place that turns an offset into code; `entry` is its number in the frame's part of the
  // table.
  llvm::Value *in_frame(llvm::IRBuilder<> &builder, uint64_t offset, uint64_t entry,
                        const llvm::Twine &name) {
    if (table_ == nullptr)
      return builder.CreatePtrAdd(frame_, builder.getInt64(offset), name);
    llvm::Value *found = table_->look_up(builder, first_entry_ + entry);
    llvm::Value *is_address =
        builder.CreateICmpUGE(found, builder.getInt64(CULPRIT_LAYOUT_ABSOLUTE));
    return builder.CreateSelect(is_address, builder.CreateIntToPtr(found, pointer_type_),
                                builder.CreatePtrAdd(frame_, found), name);
  }
  llvm::Value *frame_size(llvm::IRBuilder<> &builder) {
    if (table_ == nullptr)
      return builder.getInt64(plan_.layout.size);
    first_entry_ = table_->add_frame(function_, plan_.layout);
    return table_->look_up(builder, first_entry_);
  }
  void tell(llvm::IRBuilder<> &builder, Hooks::Hook hook, const llvm::Instruction *at) {
    if (table_ == nullptr)
      return;
    llvm::CallInst *call =
        hooks_.call(builder, hook, {frame_, builder.getInt64(table_->number_of(function_))});
    if (at != nullptr)
      call->setDebugLoc(at->getDebugLoc());
  }

  void enter() {
    llvm::BasicBlock &entry = function_.getEntryBlock();
    llvm::IRBuilder<> builder(&entry, entry.begin());
    if (!plan_.dynamic.empty())
      lowest_ = builder.CreateAlloca(pointer_type_, nullptr, "culprit.lowest");
    const FrameLayout &layout = plan_.layout;
    top_ = Hooks::unsanitized(builder.CreateLoad(pointer_type_, stack(), "culprit.top"));
    frame_ = top_;
    if (layout.size != 0) {
      frame_ = builder.CreatePtrAdd(top_, builder.CreateNeg(frame_size(builder)), "culprit.frame");
      if (layout.alignment > kStackAlignment)
        frame_ = align_down(builder, frame_, layout.alignment);
      set_stack(builder, frame_);
      sentinel_ = in_frame(builder, layout.sentinel, 1, "culprit.sentinel");
      Hooks::unsanitized(builder.CreateStore(return_address(builder), sentinel_));
      clear_cells(builder, sentinel_);
      tell(builder, Hooks::enter_frame, nullptr);
    }
    if (lowest_ != nullptr)
      builder.CreateStore(frame_, lowest_);
    for (llvm::Argument *argument : plan_.left_by_value)
      receive(builder, *argument, argument,
              module_.getDataLayout().getTypeAllocSize(argument->getParamByValType()));
    std::vector<llvm::AllocaInst *> old; // code is still being inserted before the first
    uint64_t number = CULPRIT_LAYOUT_FRAME_HEAD;
    for (FrameVariable &each : plan_.layout.variables) {
      if (auto *place = llvm::dyn_cast<llvm::AllocaInst>(each.place))
        old.push_back(place);
      move(builder, each, number++);
    }
    for (llvm::AllocaInst *each : old)
      each->eraseFromParent();
  }

  llvm::Value *align_down(llvm::IRBuilder<> &builder, llvm::Value *address, llvm::Align alignment) {
    return builder.CreateIntrinsic(llvm::Intrinsic::ptrmask, {pointer_type_, builder.getInt64Ty()},
                                   {address, builder.getInt64(-alignment.value())});
  }

  void move(llvm::IRBuilder<> &builder, FrameVariable &variable, uint64_t entry) {
    llvm::Value *old = variable.place;
    llvm::Value *address = in_frame(builder, variable.offset, entry, old->getName() + ".moved");
    forget(*old);
    old->replaceAllUsesWith(address);
    variable.place = address;
    if (auto *argument = llvm::dyn_cast<llvm::Argument>(old)) {
      builder.CreateMemCpy(address, variable.alignment, argument, variable.alignment,
                           variable.size);
      receive(builder, *argument, address, variable.size);
    }
  }

  // The ids of an argument passed by value. Its slot holds where the caller copied it from; a
  // caller that nobody sees set none, and nobody ever gave ids to where the argument is.
  void receive(llvm::IRBuilder<> &builder, llvm::Argument &argument, llvm::Value *to,
               uint64_t size) {
    const unsigned slot = argument.getArgNo();
    llvm::Value *from = &argument;
    if (slot < CULPRIT_ARGUMENT_IDS)
      from = if_meant(builder, function_,
                      builder.CreateLoad(pointer_type_, argument_slot(module_, slot)), &argument);
    if (size <= kSmallArgument && size % CULPRIT_CELL_BYTES == 0) {
      builder.CreateMemMove(cell(builder, to), llvm::Align(8), cell(builder, from), llvm::Align(8),
                            size << CULPRIT_SHADOW_SHIFT);
      // The function's variables stand behind this: there is to be no branch before them.
      if (suppresses_ && size != 0)
        copy_stain(builder, to, from, size);
      return;
    }
    hooks_.call(builder, Hooks::copy_ids, {to, from, builder.getInt64(size), builder.getInt64(0)});
  }

  llvm::Value *cell(llvm::IRBuilder<> &builder, llvm::Value *address) {
    llvm::Value *offset =
        builder.CreateShl(builder.CreateAnd(builder.CreatePtrToInt(address, builder.getInt64Ty()),
                                            builder.getInt64(CULPRIT_SHADOW_MASK)),
                          CULPRIT_SHADOW_SHIFT);
    return builder.CreateIntToPtr(builder.CreateAdd(offset, builder.getInt64(CULPRIT_SHADOW_BASE)),
                                  pointer_type_);
  }

  // Lifetimes (it has none of its own any more) and what the debugger would be told.
  static void forget(llvm::Value &place) {
    for (llvm::User *user : llvm::make_early_inc_range(place.users()))
      if (is_lifetime_marker(*user))
        llvm::cast<llvm::Instruction>(user)->eraseFromParent();
    llvm::SmallVector<llvm::DbgVariableIntrinsic *> intrinsics;
    llvm::SmallVector<llvm::DbgVariableRecord *> records;
    llvm::findDbgUsers(intrinsics, &place, &records);
    for (llvm::DbgVariableIntrinsic *each : intrinsics)
      each->eraseFromParent();
    for (llvm::DbgVariableRecord *each : records)
      each->eraseFromParent();
  }

  void set_lowest(llvm::IRBuilder<> &builder, llvm::Value *lowest) {
    builder.CreateStore(lowest, lowest_);
    set_stack(builder, lowest);
  }

  void allocate(llvm::AllocaInst &place) {
    llvm::IRBuilder<> builder(&place);
    llvm::Value *count = builder.CreateZExtOrTrunc(place.getArraySize(), builder.getInt64Ty());
    llvm::Value *size = builder.CreateMul(
        count,
        builder.getInt64(module_.getDataLayout().getTypeAllocSize(place.getAllocatedType())));
    llvm::Value *old = builder.CreateLoad(pointer_type_, lowest_);
    llvm::Value *address = align_down(builder, builder.CreatePtrAdd(old, builder.CreateNeg(size)),
                                      std::max(kStackAlignment, place.getAlign()));
    address->setName(place.getName() + ".moved");
    set_lowest(builder, address);
    forget(place);
    place.replaceAllUsesWith(address);
    place.eraseFromParent();
  }

  void replace_saves() {
    for (llvm::BasicBlock &block : function_)
      for (llvm::Instruction &instruction : llvm::make_early_inc_range(block)) {
        auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        if (call == nullptr)
          continue;
        llvm::IRBuilder<> builder(call);
        if (call->getIntrinsicID() == llvm::Intrinsic::stacksave)
          call->replaceAllUsesWith(builder.CreateLoad(pointer_type_, lowest_));
        else if (call->getIntrinsicID() == llvm::Intrinsic::stackrestore)
          set_lowest(builder, call->getArgOperand(0));
        else
          continue;
        call->eraseFromParent();
      }
  }

  // Where control may come from frames that were not left: landing pads and calls that return
  // twice.
  void find_arrivals() {
    for (llvm::BasicBlock &block : function_)
      for (llvm::Instruction &instruction : block) {
        const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (llvm::isa<llvm::LandingPadInst>(instruction) ||
            (call != nullptr && call->hasFnAttr(llvm::Attribute::ReturnsTwice) &&
             !call->isMustTailCall()))
          arrivals_.push_back(&instruction);
      }
  }

  // At a landing pad the stack is as low as it was when the exception came by; after a call that
  // returns again, as low as it was at that call, as the machine's stack is.
  void arrive(llvm::Instruction &place) {
    llvm::Instruction *next = place.getNextNode();
    if (llvm::isa<llvm::LandingPadInst>(place)) {
      llvm::IRBuilder<> builder(next);
      set_stack(builder, lowest_ != nullptr ? builder.CreateLoad(pointer_type_, lowest_) : frame_);
      return;
    }
    llvm::IRBuilder<> before(&place);
    llvm::Value *saved = lowest_ != nullptr ? before.CreateLoad(pointer_type_, lowest_) : frame_;
    if (const auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(&place)) {
      llvm::BasicBlock *normal = invoke->getNormalDest();
      if (normal->getSinglePredecessor() == nullptr)
        normal = llvm::SplitEdge(place.getParent(), normal);
      next = &*normal->getFirstInsertionPt();
    }
    llvm::IRBuilder<> builder(next);
    if (lowest_ != nullptr)
      set_lowest(builder, saved);
    else
      set_stack(builder, saved);
  }

  std::vector<llvm::Instruction *> exits() {
    std::vector<llvm::Instruction *> found;
    for (llvm::BasicBlock &block : function_) {
      if (llvm::CallInst *call = block.getTerminatingMustTailCall())
        found.push_back(call);
      else if (llvm::isa<llvm::ReturnInst, llvm::ResumeInst>(block.getTerminator()))
        found.push_back(block.getTerminator());
    }
    return found;
  }

  void leave(llvm::Instruction &exit) {
    llvm::IRBuilder<> builder(&exit);
    tell(builder, Hooks::leave_frame, &exit);
    llvm::Value *found = Hooks::unsanitized(builder.CreateLoad(builder.getInt64Ty(), sentinel_));
    llvm::Value *expected = return_address(builder);
    llvm::Instruction *smashed = llvm::SplitBlockAndInsertIfThen(
        builder.CreateICmpNE(found, expected), exit.getIterator(), /*Unreachable=*/false,
        llvm::MDBuilder(module_.getContext()).createUnlikelyBranchWeights());
    builder.SetInsertPoint(smashed);
    hooks_.call(builder, Hooks::smashed, {sentinel_, expected})->setDebugLoc(exit.getDebugLoc());
    builder.SetInsertPoint(&exit);
    set_stack(builder, top_);
  }

  llvm::Function &function_;
  llvm::Module &module_;
  FramePlan &plan_;
  Hooks &hooks_;
  bool suppresses_;
  LayoutTable *table_; // null: offsets are fixed
  uint64_t first_entry_ = 0;
  llvm::PointerType *pointer_type_;
  std::vector<llvm::Instruction *> arrivals_;
  llvm::Value *top_ = nullptr;         // the stack at entry
  llvm::Value *frame_ = nullptr;       // of a function without a frame: the same
  llvm::Value *sentinel_ = nullptr;    // its address
  llvm::AllocaInst *lowest_ = nullptr; // holds the stack's lowest address as variables come and go
};

} // namespace

void DataStack::move(llvm::Function &function) {
  if (has_frames(function)) {
    plan(function);
    Move(function, *plans_[&function], hooks_, suppresses_, layout_).run();
  }
}

llvm::PreservedAnalyses DataStackPass::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  Hooks hooks(module);
  DataStack stack(module, hooks, /*suppresses=*/false);
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      stack.move(function);
  return llvm::PreservedAnalyses::none();
}

} // namespace culprit
