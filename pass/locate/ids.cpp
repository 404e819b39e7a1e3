// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/ids.h"

#include "abi/features.h"
#include "abi/locate.h"
#include "pass/locate/aliases.h"
#include "pass/locate/questions.h"
#include "pass/locate/slots.h"
#include "pass/locate/stains.h"

#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace culprit {

namespace {

constexpr uint64_t kNothingSize = 64;
constexpr uint64_t kInlineCells = 4;                 // more are the runtime's work
constexpr uint64_t kSmallCopy = CULPRIT_STAIN_REACH; // bytes

} // namespace

IdCode::IdCode(llvm::Module &module, LocateTables &tables, Hooks &hooks, unsigned features)
    : module_(module), tables_(tables), hooks_(hooks),
      suppresses_((features & CULPRIT_FEATURE_SUPPRESS) != 0),
      keeps_origins_((features & CULPRIT_FEATURE_ORIGINS) != 0),
      wide_(llvm::Type::getInt64Ty(module.getContext())) {}

llvm::ConstantInt *IdCode::number(uint64_t value) const {
  return llvm::ConstantInt::get(wide_, value);
}

llvm::ConstantInt *IdCode::corrupt() const { return number(CULPRIT_ID_CORRUPT); }

llvm::Value *IdCode::is_corrupt(Builder &builder, llvm::Value *id) const {
  if (!has_clean_copies() || llvm::isa<llvm::Constant>(id))
    return builder.CreateICmpSLT(id, number(0));
  return ask_is_corrupt(builder, id);
}

llvm::GlobalVariable *IdCode::variable(llvm::StringRef name, llvm::Type *type) {
  return runtime_variable(module_, name, type);
}

llvm::GlobalVariable *IdCode::callee() {
  return variable(CULPRIT_CALLEE_SYMBOL, llvm::PointerType::get(module_.getContext(), 0));
}
llvm::Constant *IdCode::result_id(unsigned number) {
  llvm::GlobalVariable *slot = variable(CULPRIT_RESULT_ID_SYMBOL, wide_);
  return number == 0 ? slot : llvm::cast<llvm::Constant>(element(*slot, number));
}
llvm::GlobalVariable *IdCode::allocation_id() {
  return variable(CULPRIT_ALLOCATION_ID_SYMBOL, wide_);
}
llvm::GlobalVariable *IdCode::nothing() {
  llvm::GlobalVariable *found =
      variable(CULPRIT_NOTHING_SYMBOL,
               llvm::ArrayType::get(llvm::Type::getInt8Ty(module_.getContext()), kNothingSize));
  found->setAlignment(llvm::Align(kNothingSize));
  return found;
}

llvm::Value *IdCode::element(llvm::GlobalVariable &array, unsigned index) {
  return llvm::IRBuilder<>(module_.getContext()).CreateConstGEP1_64(wide_, &array, index);
}

llvm::Value *IdCode::raw_id(Builder &builder, unsigned definition) {
  llvm::GlobalVariable *clock = variable(CULPRIT_CLOCK_SYMBOL, wide_);
  llvm::Value *now = builder.CreateAdd(builder.CreateLoad(wide_, clock), number(CULPRIT_TICK));
  builder.CreateStore(now, clock);
  llvm::Value *id = builder.CreateOr(now, number(definition));
  if (!suppresses_)
    return id;
  return builder.CreateOr(id, builder.CreateLoad(wide_, element(tables_.attention(), definition)));
}

llvm::Value *IdCode::fired(Builder &builder, llvm::Value *raw) {
  return hooks_.call(builder, Hooks::fired, {raw});
}

llvm::Value *IdCode::fired_at(Builder &builder, llvm::Value *raw, llvm::Value *address,
                              llvm::Value *through) {
  builder.CreateStore(through, variable(CULPRIT_STORED_THROUGH_SYMBOL, builder.getPtrTy()),
                      /*isVolatile=*/true);
  builder.CreateStore(address, variable(CULPRIT_STORED_AT_SYMBOL, builder.getPtrTy()),
                      /*isVolatile=*/true);
  return fired(builder, raw);
}

llvm::Value *IdCode::unless_initial(Builder &builder, llvm::Value *id, llvm::Value *address_id) {
  if (address_id == number(0))
    return id;
  llvm::Instruction *here = &*builder.GetInsertPoint();
  llvm::BasicBlock *before = builder.GetInsertBlock();
  const llvm::DebugLoc location = builder.getCurrentDebugLocation();
  llvm::Instruction *initial = llvm::SplitBlockAndInsertIfThen(
      builder.CreateICmpULE(id, number(tables_.globals())), here, /*Unreachable=*/false,
      llvm::MDBuilder(module_.getContext()).createUnlikelyBranchWeights());
  Builder in_initial(initial);
  in_initial.SetCurrentDebugLocation(location);
  llvm::Value *either = newer(in_initial, id, address_id);
  builder.SetInsertPoint(here->getParent(), here->getParent()->begin());
  llvm::PHINode *known = builder.CreatePHI(wide_, 2);
  known->addIncoming(id, before);
  known->addIncoming(either, initial->getParent());
  builder.SetInsertPoint(here);
  builder.SetCurrentDebugLocation(location);
  return known;
}

llvm::Value *IdCode::new_id(Builder &builder, unsigned definition) {
  llvm::Value *raw = raw_id(builder, definition);
  if (!suppresses_)
    return raw;
  llvm::Instruction *here = &*builder.GetInsertPoint();
  llvm::BasicBlock *before = builder.GetInsertBlock();
  // No question: a copy in which nothing is corrupt may well fire.
  llvm::Instruction *cold = llvm::SplitBlockAndInsertIfThen(
      builder.CreateICmpSLT(raw, number(0)), here, /*Unreachable=*/false,
      llvm::MDBuilder(module_.getContext()).createUnlikelyBranchWeights());
  Builder in_cold(cold);
  in_cold.SetCurrentDebugLocation(builder.getCurrentDebugLocation());
  llvm::Value *known = fired(in_cold, raw);
  const llvm::DebugLoc location = builder.getCurrentDebugLocation();
  builder.SetInsertPoint(here->getParent(), here->getParent()->begin());
  llvm::PHINode *id = builder.CreatePHI(wide_, 2);
  id->addIncoming(raw, before);
  id->addIncoming(known, cold->getParent());
  builder.SetInsertPoint(here);
  builder.SetCurrentDebugLocation(location);
  return id;
}

llvm::Value *IdCode::declared_id(Builder &builder, unsigned definition) {
  if (!suppresses_)
    return number(definition);
  const uint64_t mark = keeps_origins_ ? CULPRIT_ID_UNWRITTEN : 0;
  return given(builder,
               builder.CreateOr(builder.CreateLoad(wide_, element(tables_.attention(), definition)),
                                number(definition | mark)));
}

llvm::Value *IdCode::is_armed(Builder &builder) {
  return builder.CreateIsNotNull(builder.CreateLoad(
      builder.getInt32Ty(), variable(CULPRIT_ARMED_SYMBOL, builder.getInt32Ty())));
}

llvm::Value *IdCode::newer(Builder &builder, llvm::Value *a, llvm::Value *b) {
  if (a == b || b == number(0))
    return a;
  if (a == number(0))
    return b;
  return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, a, b);
}

llvm::Value *IdCode::is_unwritten(Builder &builder, llvm::Value *id) const {
  return builder.CreateICmpEQ(
      builder.CreateAnd(id, number(CULPRIT_ID_CORRUPT | CULPRIT_ID_UNWRITTEN)),
      number(CULPRIT_ID_UNWRITTEN));
}

llvm::Value *IdCode::is_marked(Builder &builder, llvm::Value *id) const {
  return keeps_origins_ ? builder.CreateICmpUGE(id, number(CULPRIT_ID_UNWRITTEN))
                        : is_corrupt(builder, id);
}

llvm::Value *IdCode::newer_cell(Builder &builder, llvm::Value *a, llvm::Value *b) {
  llvm::Value *newest = newer(builder, a, b);
  if (!keeps_origins_ || newest == a || newest == b)
    return newest;
  // What was written says who used the whole.
  llvm::Value *a_or_newest = builder.CreateSelect(
      builder.CreateAnd(is_unwritten(builder, newest), builder.CreateNot(is_unwritten(builder, a))),
      a, newest);
  return builder.CreateSelect(
      builder.CreateAnd(is_unwritten(builder, newest), builder.CreateNot(is_unwritten(builder, b))),
      b, a_or_newest);
}

llvm::Value *IdCode::kept(Builder &builder, llvm::Value *id, llvm::Value *of) {
  if (!keeps_origins_ || llvm::isa<llvm::Constant>(of))
    return id;
  llvm::Value *is_kept =
      builder.CreateAnd(is_unwritten(builder, of), builder.CreateNot(is_corrupt(builder, id)));
  return builder.CreateSelect(is_kept, builder.CreateOr(of, number(CULPRIT_ID_DERIVED)), id);
}

llvm::Value *IdCode::derived(Builder &builder, llvm::Value *id) { return kept(builder, id, id); }

llvm::Value *IdCode::unless_written(Builder &builder, llvm::Value *id, llvm::Value *address,
                                    uint64_t size) {
  if (!keeps_origins_ || llvm::isa<llvm::Constant>(id))
    return id;
  llvm::Instruction *here = &*builder.GetInsertPoint();
  llvm::BasicBlock *before = builder.GetInsertBlock();
  const llvm::DebugLoc location = builder.getCurrentDebugLocation();
  llvm::Instruction *marked = llvm::SplitBlockAndInsertIfThen(
      is_unwritten(builder, id), here, /*Unreachable=*/false,
      llvm::MDBuilder(module_.getContext()).createUnlikelyBranchWeights());
  Builder in_marked(marked);
  in_marked.SetCurrentDebugLocation(location);
  llvm::Value *looked_at = hooks_.call(in_marked, Hooks::unwritten_id, {address, number(size), id});
  builder.SetInsertPoint(here->getParent(), here->getParent()->begin());
  llvm::PHINode *known = builder.CreatePHI(wide_, 2);
  known->addIncoming(id, before);
  known->addIncoming(looked_at, marked->getParent());
  builder.SetInsertPoint(here);
  builder.SetCurrentDebugLocation(location);
  return known;
}

llvm::Value *IdCode::corrupt_with(Builder &builder, llvm::Value *a, llvm::Value *b) {
  if (!suppresses_ || a == b || b == number(0))
    return a;
  return a == number(0) ? b : builder.CreateOr(a, b);
}

llvm::Value *IdCode::tainted(Builder &builder, llvm::Value *id, llvm::Value *other) {
  if (!suppresses_ || llvm::isa<llvm::Constant>(other))
    return id;
  return builder.CreateOr(id, has_clean_copies() ? ask_mark_of(builder, other)
                                                 : builder.CreateAnd(other, corrupt()));
}

llvm::Value *IdCode::given(Builder &builder, llvm::Value *id) const {
  return has_clean_copies() && !llvm::isa<llvm::Constant>(id) ? say_was_given(builder, id) : id;
}

llvm::Value *IdCode::corrupt_cells(Builder &builder, llvm::Value *address, uint64_t size,
                                   llvm::Align alignment) {
  if (!has_clean_copies() || size > CULPRIT_STAIN_REACH)
    return load_cells(builder, address, size, alignment);
  llvm::Function *question = id_if_stained(module_, size, alignment);
  if (question->isDeclaration()) {
    llvm::LLVMContext &context = module_.getContext();
    auto *entry = llvm::BasicBlock::Create(context, "", question);
    auto *stained = llvm::BasicBlock::Create(context, "stained", question);
    auto *clean = llvm::BasicBlock::Create(context, "clean", question);
    Builder inside(entry);
    inside.CreateCondBr(is_stained(inside, question->getArg(0), size), stained, clean,
                        llvm::MDBuilder(context).createUnlikelyBranchWeights());
    inside.SetInsertPoint(stained);
    inside.CreateRet(load_cells(inside, question->getArg(0), size, alignment));
    inside.SetInsertPoint(clean);
    inside.CreateRet(number(0));
    tell_runtime_variables_apart(*question);
  }
  return builder.CreateCall(question, {address});
}

llvm::Value *IdCode::read_cells(Builder &builder, llvm::Value *address, uint64_t size,
                                llvm::Align alignment) {
  llvm::Value *id = load_cells(builder, address, size, alignment);
  return has_clean_copies() && size <= CULPRIT_STAIN_REACH && !llvm::isa<llvm::Constant>(id)
             ? say_was_read(builder, id, address, size)
             : id;
}

llvm::Value *IdCode::cell(Builder &builder, llvm::Value *address) {
  llvm::Value *bits = builder.CreatePtrToInt(address, wide_);
  llvm::Value *offset = builder.CreateShl(builder.CreateAnd(bits, number(CULPRIT_SHADOW_MASK)),
                                          number(CULPRIT_SHADOW_SHIFT));
  return builder.CreateIntToPtr(builder.CreateAdd(offset, number(CULPRIT_SHADOW_BASE)),
                                builder.getPtrTy());
}

// How many cells an access covers; 0: that depends on its address.
static uint64_t cells_of(uint64_t size, llvm::Align alignment) {
  const uint64_t cells = (size + CULPRIT_CELL_BYTES - 1) / CULPRIT_CELL_BYTES;
  const bool is_in_one =
      size <= CULPRIT_CELL_BYTES && llvm::isPowerOf2_64(size) && alignment.value() >= size;
  return is_in_one || alignment.value() >= CULPRIT_CELL_BYTES ? cells : 0;
}

llvm::Value *IdCode::load_cells(Builder &builder, llvm::Value *address, uint64_t size,
                                llvm::Align alignment) {
  if (size == 0)
    return number(0);
  const uint64_t cells = cells_of(size, alignment);
  if (cells == 0 || cells > kInlineCells)
    return hooks_.call(builder, Hooks::id_of, {address, number(size)});
  llvm::Value *first = cell(builder, address);
  llvm::Value *id = builder.CreateAlignedLoad(wide_, first, llvm::Align(8));
  for (uint64_t i = 1; i < cells; ++i)
    id = newer_cell(builder, id,
                    builder.CreateAlignedLoad(wide_, builder.CreateConstGEP1_64(wide_, first, i),
                                              llvm::Align(8)));
  return id;
}

void IdCode::store_cells(Builder &builder, llvm::Value *address, uint64_t size,
                         llvm::Align alignment, llvm::Value *id) {
  if (size == 0)
    return;
  const uint64_t cells = cells_of(size, alignment);
  if (cells == 0 || cells > kInlineCells) {
    hooks_.call(builder, Hooks::define, {address, number(size), id});
    return;
  }
  llvm::Value *first = cell(builder, address);
  for (uint64_t i = 0; i < cells; ++i)
    builder.CreateAlignedStore(id, i == 0 ? first : builder.CreateConstGEP1_64(wide_, first, i),
                               llvm::Align(8));
}

bool IdCode::copy_cells(Builder &builder, llvm::Value *to, llvm::Value *from, uint64_t size,
                        llvm::Align alignment) {
  if (size > kSmallCopy || size % CULPRIT_CELL_BYTES != 0 || alignment.value() < CULPRIT_CELL_BYTES)
    return false;
  // Memory may have come before its own copy in a loop of the program's, so overlaps are possible.
  builder.CreateMemMove(cell(builder, to), llvm::Align(8), cell(builder, from), llvm::Align(8),
                        size << CULPRIT_SHADOW_SHIFT);
  if (suppresses_ && size != 0) {
    llvm::Instruction *here = &*builder.GetInsertPoint();
    const llvm::DebugLoc location = builder.getCurrentDebugLocation();
    llvm::Instruction *armed = llvm::SplitBlockAndInsertIfThen(
        is_armed(builder), here, /*Unreachable=*/false,
        llvm::MDBuilder(module_.getContext()).createUnlikelyBranchWeights());
    Builder in_armed(armed);
    in_armed.SetCurrentDebugLocation(location);
    copy_stain(in_armed, to, from, size);
    builder.SetInsertPoint(here);
    builder.SetCurrentDebugLocation(location);
  }
  return true;
}

void IdCode::show_pointers(Builder &builder, llvm::CallBase &call) {
  llvm::GlobalVariable *pointers =
      variable(CULPRIT_POINTERS_SYMBOL, llvm::ArrayType::get(builder.getPtrTy(), CULPRIT_LEAVES));
  for (unsigned i = 0; i < call.arg_size() && i < CULPRIT_LEAVES; ++i) {
    llvm::Value *argument = call.getArgOperand(i);
    const bool is_pointer = argument->getType() == builder.getPtrTy();
    builder.CreateStore(is_pointer ? argument : llvm::ConstantPointerNull::get(builder.getPtrTy()),
                        builder.CreateConstGEP1_64(builder.getPtrTy(), pointers, i),
                        /*isVolatile=*/true);
  }
}

void IdCode::show_place(Builder &builder, unsigned number, llvm::ArrayRef<llvm::Value *> ids,
                        bool by_row) {
  if (!by_row) {
    show_place(builder, builder.getInt32(number), ids);
    return;
  }
  mark_place(builder, number);
  show_leaves(builder, ids);
}

void IdCode::show_place(Builder &builder, llvm::Value *number, llvm::ArrayRef<llvm::Value *> ids) {
  mark_place(builder, 0);
  builder.CreateStore(number, variable(CULPRIT_PLACE_SYMBOL, builder.getInt32Ty()),
                      /*isVolatile=*/true);
  show_leaves(builder, ids);
}

void IdCode::show_leaves(Builder &builder, llvm::ArrayRef<llvm::Value *> ids) {
  llvm::GlobalVariable *leaves =
      variable(CULPRIT_LEAVES_SYMBOL, llvm::ArrayType::get(wide_, CULPRIT_LEAVES));
  for (unsigned i = 0; i < ids.size(); ++i)
    if (ids[i] != nullptr)
      builder.CreateStore(ids[i], element(*leaves, i), /*isVolatile=*/true);
}

} // namespace culprit
