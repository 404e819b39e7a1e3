// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory: loads take the ids of the cells they cover, stores set them.
//
// Suppress: a load through a corrupt address is jumped over and gives zero. A store branches once:
// address corrupt, value corrupt and definition under suspicion all meet in one cold block, which
// tells them apart and may still find that the store is to be made.
#include "pass/locate/rewriter.h"

#include "abi/locate.h"
#include "pass/locate/records.h"
#include "pass/locate/stains.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace culprit {

namespace {

constexpr uint64_t kShadowCells = 64;               // of a variable that becomes registers
constexpr uint64_t kDeclared = uint64_t{64} * 1024; // larger variables are declared by nobody
constexpr uint8_t kNeverWritten = 0xcd;             // as an address it faults

} // namespace

void FunctionRewriter::give_shadows() {
  llvm::BasicBlock &entry = function_.getEntryBlock();
  llvm::SmallVector<llvm::AllocaInst *, 16> locals;
  for (llvm::Instruction &instruction : entry)
    if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      locals.push_back(local);
  Builder at_start(&entry, entry.begin());
  Builder builder(&*entry.getFirstNonPHIOrDbgOrAlloca());
  for (llvm::AllocaInst *local : locals) {
    const Home home = plan_.homes.lookup(local);
    const auto size = local->getAllocationSize(layout_);
    const uint64_t cells =
        home == Home::promoted ? 1
        : home == Home::split
            ? (size->getFixedValue() + CULPRIT_CELL_BYTES - 1) / CULPRIT_CELL_BYTES
            : 0;
    if (cells > 0 && cells <= kShadowCells)
      shadows_[local] = at_start.CreateAlloca(llvm::ArrayType::get(at_start.getInt64Ty(), cells));
    if (home != Home::dynamic)
      declare(builder, *local, plan_.variables.lookup(local));
  }
}

void FunctionRewriter::store_in_all(Builder &builder, llvm::AllocaInst &shadow, llvm::Value *id) {
  const uint64_t cells = llvm::cast<llvm::ArrayType>(shadow.getAllocatedType())->getNumElements();
  for (uint64_t i = 0; i < cells; ++i)
    builder.CreateStore(id, cell_of(builder, {&shadow, 0, cells}, i));
}

// The variable comes to life: nobody has written it yet.
void FunctionRewriter::declare(Builder &builder, llvm::AllocaInst &local, unsigned definition) {
  llvm::Value *id = definition != 0 ? code_.declared_id(builder, definition) : code_.number(0);
  // What the compiler keeps for itself (a result, say) is always written before it is read, unless
  // a branch on something corrupt jumped over that.
  if (definition == 0 && code_.suppresses() &&
      (plan_.homes.lookup(&local) == Home::promoted || local.hasMetadata(kRecordRoom))) {
    id = code_.corrupt();
    builder.CreateStore(llvm::Constant::getNullValue(local.getAllocatedType()), &local);
  }
  const auto size = local.getAllocationSize(layout_);
  if (llvm::AllocaInst *shadow = shadows_.lookup(&local)) {
    store_in_all(builder, *shadow, id);
    if (definition != 0)
      builder.CreateMemSet(&local, builder.getInt8(kNeverWritten), size->getFixedValue(),
                           local.getAlign());
  } else if (definition != 0 && size && size->getFixedValue() <= kDeclared) {
    code_.store_cells(builder, &local, size->getFixedValue(), local.getAlign(), id);
    stain_if_corrupt(builder, code_.hooks(), &local, code_.number(size->getFixedValue()), id);
  }
}

void FunctionRewriter::declare_returned(llvm::Instruction &from, const PlannedReturned &variable) {
  const uint64_t size = layout_.getTypeAllocSize(variable.place->getParamStructRetType());
  if (size == 0 || size > kDeclared)
    return;
  Builder builder(&from);
  llvm::Value *id = code_.declared_id(builder, variable.definition);
  code_.store_cells(builder, variable.place, size, variable.place->getParamAlign().valueOrOne(),
                    id);
  stain_if_corrupt(builder, code_.hooks(), variable.place, code_.number(size), id);
}

llvm::Value *FunctionRewriter::cell_of(Builder &builder, const Shadow &shadow, uint64_t index) {
  return builder.CreateConstGEP1_64(builder.getInt64Ty(), shadow.place, shadow.first + index);
}

FunctionRewriter::Shadow FunctionRewriter::shadow_of(const llvm::Value *address,
                                                     llvm::Type *type) const {
  llvm::APInt offset(layout_.getIndexTypeSizeInBits(address->getType()), 0);
  const auto *local = llvm::dyn_cast<llvm::AllocaInst>(
      address->stripAndAccumulateConstantOffsets(layout_, offset, /*AllowNonInbounds=*/true));
  llvm::AllocaInst *shadow = local != nullptr ? shadows_.lookup(local) : nullptr;
  if (shadow == nullptr)
    return {};
  if (plan_.homes.lookup(local) == Home::promoted)
    return {shadow, 0, 1};
  const uint64_t first = offset.getZExtValue() / CULPRIT_CELL_BYTES;
  const uint64_t size = layout_.getTypeStoreSize(type).getFixedValue();
  const uint64_t end = (offset.getZExtValue() + size + CULPRIT_CELL_BYTES - 1) / CULPRIT_CELL_BYTES;
  return {shadow, first, end - first};
}

void FunctionRewriter::load(llvm::LoadInst &load) {
  Builder builder(&load);
  if (const Shadow shadow = shadow_of(load.getPointerOperand(), load.getType()); shadow.place) {
    llvm::Value *id = code_.number(0);
    for (uint64_t i = 0; i < shadow.count; ++i)
      id = code_.newer_cell(builder, id,
                            builder.CreateLoad(builder.getInt64Ty(), cell_of(builder, shadow, i)));
    set_id(&load, id);
    if (shadow.count == 1)
      read_from_[&load] = {shadow.place, {shadow.first, writes_.lookup(shadow.place)}};
    return;
  }
  if (load.getPointerAddressSpace() != 0)
    return;
  llvm::Value *address_id = id_of(load.getPointerOperand());
  const uint64_t size = layout_.getTypeStoreSize(load.getType()).getKnownMinValue();
  const auto read_id = [&]() -> llvm::Value * {
    llvm::Value *address = load.getPointerOperand();
    if (plan_.unasked.contains(&load))
      return code_.suppresses() ? code_.corrupt_cells(builder, address, size, load.getAlign())
                                : code_.number(0);
    llvm::Value *id = code_.unless_written(
        builder, code_.read_cells(builder, address, size, load.getAlign()), address, size);
    // Nobody has written there: who made the address is as near as one gets.
    if (code_.keeps_origins() && !llvm::isa<llvm::Constant>(address_id))
      id = builder.CreateSelect(builder.CreateICmpEQ(id, code_.number(0)), address_id, id);
    return plan_.elements.contains(&load) ? code_.unless_initial(builder, id, address_id) : id;
  };
  if (!code_.suppresses() || llvm::isa<llvm::Constant>(address_id)) {
    show(builder, load);
    set_id(&load, read_id());
    return;
  }
  // before: br corrupt, after, made; made: load; br after. A branch, since a processor guesses it
  // long before it knows the id, which an address that was selected would have to wait for.
  llvm::SmallVector<llvm::Use *, 8> uses;
  for (llvm::Use &use : load.uses())
    uses.push_back(&use);
  llvm::BasicBlock *before = load.getParent();
  llvm::BasicBlock *made = before->splitBasicBlock(load.getIterator());
  llvm::BasicBlock *after = made->splitBasicBlock(std::next(load.getIterator()));
  before->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(before);
  builder.SetCurrentDebugLocation(load.getDebugLoc());
  builder.CreateCondBr(code_.is_corrupt(builder, address_id), after, made, unlikely());
  builder.SetInsertPoint(&load);
  show(builder, load);
  llvm::Value *read = read_id();
  made = load.getParent();
  builder.SetInsertPoint(after, after->begin());
  builder.SetCurrentDebugLocation(load.getDebugLoc());
  llvm::PHINode *value = builder.CreatePHI(load.getType(), 2);
  for (llvm::Use *use : uses)
    use->set(value);
  value->addIncoming(&load, made);
  value->addIncoming(llvm::Constant::getNullValue(load.getType()), before);
  llvm::PHINode *id = builder.CreatePHI(builder.getInt64Ty(), 2);
  id->addIncoming(read, made);
  id->addIncoming(address_id, before);
  set_id(&load, id);
  set_id(value, id);
  loaded_by_[value] = &load;
}

llvm::Value *FunctionRewriter::home_of_pointer(llvm::Value *address) const {
  llvm::Value *base = llvm::getUnderlyingObject(address, /*MaxLookup=*/0);
  auto *load = llvm::dyn_cast<llvm::LoadInst>(base);
  if (const auto found = loaded_by_.find(base); found != loaded_by_.end())
    load = found->second;
  const bool is_memory = load != nullptr && load->getPointerAddressSpace() == 0 &&
                         shadow_of(load->getPointerOperand(), load->getType()).place == nullptr;
  return is_memory
             ? load->getPointerOperand()
             : llvm::ConstantPointerNull::get(llvm::PointerType::get(address->getContext(), 0));
}

// Of what is stored, as far as it was computed: a bit-field is written with what was in its word
// before, which says nothing.
llvm::Value *FunctionRewriter::id_of_origin(llvm::StoreInst &store) const {
  const auto is_rest = [&](llvm::Value *value) {
    const auto *masked = llvm::dyn_cast<llvm::BinaryOperator>(value);
    if (masked == nullptr || masked->getOpcode() != llvm::Instruction::And ||
        !llvm::isa<llvm::ConstantInt>(masked->getOperand(1)))
      return false;
    const llvm::Value *word = masked->getOperand(0);
    const llvm::LoadInst *load = loaded_by_.lookup(word);
    if (load == nullptr)
      load = llvm::dyn_cast<llvm::LoadInst>(word);
    return load != nullptr && load->getPointerOperand() == store.getPointerOperand();
  };
  llvm::Value *value = store.getValueOperand();
  if (is_rest(value))
    return code_.number(0);
  if (const auto *joined = llvm::dyn_cast<llvm::BinaryOperator>(value);
      joined != nullptr && joined->getOpcode() == llvm::Instruction::Or)
    for (const unsigned rest : {0U, 1U})
      if (is_rest(joined->getOperand(rest)))
        return id_of(joined->getOperand(1 - rest));
  return id_of(value);
}

void FunctionRewriter::store(llvm::StoreInst &store) {
  Builder builder(&store);
  llvm::Value *value_id = id_of(store.getValueOperand());
  unsigned definition = plan_.definitions.lookup(&store);
  if (const Shadow shadow =
          shadow_of(store.getPointerOperand(), store.getValueOperand()->getType());
      shadow.place) {
    // A register: whatever it holds while it is corrupt, nobody will see.
    if (definition != 0)
      value_id =
          code_.kept(builder, code_.tainted(builder, code_.new_id(builder, definition), value_id),
                     id_of_origin(store));
    else if (code_.keeps_origins())
      value_id = code_.tainted(builder, id_of_origin(store), value_id);
    for (uint64_t i = 0; i < shadow.count; ++i)
      builder.CreateStore(value_id, cell_of(builder, shadow, i));
    ++writes_[shadow.place];
    return;
  }
  if (store.getPointerAddressSpace() != 0)
    return;
  llvm::Value *address = store.getPointerOperand();
  const uint64_t size =
      layout_.getTypeStoreSize(store.getValueOperand()->getType()).getKnownMinValue();
  if (plan_.may_go_astray.contains(&store)) {
    value_id = id_of_copy(builder, store, definition);
    definition = 0;
  }
  llvm::Value *raw = definition != 0 ? code_.raw_id(builder, definition) : value_id;
  if (!code_.suppresses()) {
    show(builder, store);
    code_.store_cells(builder, address, size, store.getAlign(), raw);
    return;
  }
  llvm::Value *address_id = id_of(address);
  if (llvm::isa<llvm::Constant>(raw) && llvm::isa<llvm::Constant>(address_id)) {
    show(builder, store);
    code_.store_cells(builder, address, size, store.getAlign(), raw);
    return;
  }
  // before: br fires, joined; joined: br cold, made; cold: … br left_out or made; made: store; br
  // after
  const llvm::DebugLoc location = store.getDebugLoc();
  if (definition != 0) {
    // Only what is under suspicion is counted.
    llvm::BasicBlock *suspects = store.getParent();
    llvm::Instruction *fires = llvm::SplitBlockAndInsertIfThen(
        builder.CreateICmpSLT(raw, code_.number(0)), &store, /*Unreachable=*/false, unlikely());
    builder.SetInsertPoint(fires);
    builder.SetCurrentDebugLocation(location);
    llvm::Value *known = code_.fired_at(builder, raw, address, home_of_pointer(address));
    if (llvm::Value *is_out = leaves_array(builder, address))
      tell_if_out(builder, address, size, is_out, known);
    builder.SetInsertPoint(store.getParent(), store.getParent()->begin());
    builder.SetCurrentDebugLocation(location);
    llvm::PHINode *either = builder.CreatePHI(builder.getInt64Ty(), 2);
    either->addIncoming(raw, suspects);
    either->addIncoming(known, fires->getParent());
    raw = either;
  }
  llvm::BasicBlock *before = store.getParent();
  llvm::BasicBlock *made = before->splitBasicBlock(store.getIterator());
  llvm::BasicBlock *after = made->splitBasicBlock(std::next(store.getIterator()));
  llvm::BasicBlock *cold =
      llvm::BasicBlock::Create(function_.getContext(), "culprit.cold", &function_);
  before->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(before);
  builder.SetCurrentDebugLocation(location);
  llvm::Value *any = builder.CreateOr(raw, address_id);
  if (definition != 0)
    any = builder.CreateOr(any, value_id);
  builder.CreateCondBr(code_.is_marked(builder, any), cold, made, unlikely());

  builder.SetInsertPoint(cold);
  builder.SetCurrentDebugLocation(location);
  llvm::Value *id = raw;
  if (definition != 0)
    id = code_.kept(builder, code_.tainted(builder, raw, value_id), id_of_origin(store));
  // Is the address to be trusted, and is the value?
  llvm::BasicBlock *marks =
      llvm::BasicBlock::Create(function_.getContext(), "culprit.marks", &function_);
  llvm::BasicBlock *trusted =
      llvm::BasicBlock::Create(function_.getContext(), "culprit.trusted", &function_);
  builder.CreateCondBr(code_.is_corrupt(builder, address_id), after, trusted);
  builder.SetInsertPoint(trusted);
  llvm::BasicBlock *last = builder.GetInsertBlock();
  builder.CreateCondBr(code_.is_corrupt(builder, id), marks, made);
  builder.SetInsertPoint(marks);
  builder.SetCurrentDebugLocation(location);
  // Who calls it is told: this function, not its caller.
  code_.hooks()
      .call(builder, Hooks::define, {address, code_.number(size), id})
      ->setTailCallKind(llvm::CallInst::TCK_NoTail);
  builder.CreateBr(after);

  llvm::Value *final_id = raw;
  builder.SetInsertPoint(&store);
  if (definition != 0) {
    llvm::PHINode *either = builder.CreatePHI(builder.getInt64Ty(), 2);
    either->addIncoming(raw, before);
    either->addIncoming(id, last);
    final_id = either;
  }
  show(builder, store);
  code_.store_cells(builder, address, size, store.getAlign(), final_id);
}

llvm::Value *FunctionRewriter::is_astray(Builder &builder, llvm::Value *address, uint64_t size,
                                         llvm::Align alignment) {
  // Of a variable we know where it ends; a block has cells without an id around it.
  const llvm::Value *object = llvm::getUnderlyingObject(address, /*MaxLookup=*/0);
  uint64_t whole = 0;
  if (const auto *local = llvm::dyn_cast<llvm::AllocaInst>(object))
    whole = local->isStaticAlloca() ? local->getAllocationSize(layout_)->getFixedValue() : 0;
  else if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(object);
           global != nullptr && !global->isDeclaration())
    whole = layout_.getTypeAllocSize(global->getValueType());
  if (whole >= size) {
    llvm::Value *start =
        builder.CreatePtrToInt(const_cast<llvm::Value *>(object), builder.getInt64Ty());
    llvm::Value *offset =
        builder.CreateSub(builder.CreatePtrToInt(address, builder.getInt64Ty()), start);
    return builder.CreateICmpUGT(offset, code_.number(whole - size));
  }
  return builder.CreateICmpEQ(
      code_.load_cells(builder, address, std::min<uint64_t>(size, CULPRIT_CELL_BYTES),
                       std::min(alignment, llvm::Align(CULPRIT_CELL_BYTES))),
      code_.number(0));
}

namespace {

// Whether an index leaves the array it is for, which may be a member of the variable or block.
struct Beyond {
  llvm::Value *is_out = nullptr; // null: there is no such index
  bool is_all = true;            // nothing else can lead out of the variable
};

Beyond is_beyond(IdCode::Builder &builder, llvm::Value *address) {
  Beyond beyond;
  while (auto *step = llvm::dyn_cast<llvm::GEPOperator>(address)) {
    llvm::Type *type = step->getSourceElementType();
    const auto *first = llvm::dyn_cast<llvm::ConstantInt>(step->idx_begin()->get());
    beyond.is_all = beyond.is_all && first != nullptr && first->isZero();
    for (llvm::Value *index : llvm::drop_begin(step->indices())) {
      const auto *array = llvm::dyn_cast<llvm::ArrayType>(type);
      type = llvm::GetElementPtrInst::getTypeAtIndex(type, index);
      if (array == nullptr)
        continue;
      const uint64_t elements = array->getNumElements();
      if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(index)) {
        beyond.is_all = beyond.is_all && constant->getValue().ult(elements);
      } else if (elements < 2) { // may be as long as its block
        beyond.is_all = false;
      } else {
        llvm::Value *is_out =
            builder.CreateICmpUGE(index, llvm::ConstantInt::get(index->getType(), elements));
        beyond.is_out = beyond.is_out == nullptr ? is_out : builder.CreateOr(beyond.is_out, is_out);
      }
    }
    address = step->getPointerOperand();
  }
  beyond.is_all = beyond.is_all && llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(address);
  return beyond;
}

} // namespace

llvm::Value *FunctionRewriter::leaves_array(Builder &builder, llvm::Value *address) {
  return is_beyond(builder, address).is_out;
}

// A store that is left out as a target would have been to no element of its array.
void FunctionRewriter::tell_if_out(Builder &builder, llvm::Value *address, uint64_t size,
                                   llvm::Value *is_out, llvm::Value *id) {
  if (!code_.suppresses())
    return;
  llvm::Value *is_left_out = builder.CreateAnd(is_out, code_.is_corrupt(builder, id));
  code_.hooks()
      .call(builder, Hooks::left_out,
            {address, builder.CreateSelect(is_left_out, code_.number(size), code_.number(0)), id,
             code_.number(0)})
      ->setTailCallKind(llvm::CallInst::TCK_NoTail);
}

llvm::Value *FunctionRewriter::id_of_copy(Builder &builder, llvm::StoreInst &store,
                                          unsigned definition) {
  llvm::Value *copied = id_of(store.getValueOperand());
  const uint64_t size = layout_.getTypeStoreSize(store.getValueOperand()->getType());
  const Beyond beyond = is_beyond(builder, store.getPointerOperand());
  llvm::Value *astray_now = beyond.is_out;
  if (astray_now == nullptr || !beyond.is_all) {
    astray_now = is_astray(builder, store.getPointerOperand(), size, store.getAlign());
    if (beyond.is_out != nullptr)
      astray_now = builder.CreateOr(beyond.is_out, astray_now);
  }
  llvm::BasicBlock *before = store.getParent();
  llvm::Instruction *astray =
      llvm::SplitBlockAndInsertIfThen(astray_now, &store, /*Unreachable=*/false, unlikely());
  Builder in_astray(astray);
  in_astray.SetCurrentDebugLocation(store.getDebugLoc());
  llvm::Value *made = code_.tainted(in_astray, code_.new_id(in_astray, definition), copied);
  code_.hooks().call(in_astray, Hooks::trespassed, {store.getPointerOperand(), made});
  if (beyond.is_out != nullptr)
    tell_if_out(in_astray, store.getPointerOperand(), size, beyond.is_out, made);
  builder.SetInsertPoint(store.getParent(), store.getParent()->begin());
  llvm::PHINode *id = builder.CreatePHI(builder.getInt64Ty(), 2);
  id->addIncoming(copied, before);
  id->addIncoming(made, astray->getParent());
  builder.SetInsertPoint(&store);
  return id;
}

// Reads and writes in one: the result is what was there, and what is there is new.
void FunctionRewriter::update(llvm::Instruction &update, llvm::Value *address,
                              unsigned address_operand, llvm::Value *value, llvm::Align alignment) {
  Builder builder(&update);
  show(builder, update);
  const uint64_t size = layout_.getTypeStoreSize(value->getType()).getKnownMinValue();
  llvm::Value *address_id = id_of(address);
  llvm::Value *id = code_.new_id(builder, plan_.definitions.lookup(&update));
  for (llvm::Value *operand : update.operands())
    if (operand != address)
      id = code_.tainted(builder, id, id_of(operand));
  llvm::Value *old = code_.load_cells(builder, address, size, alignment);
  id = code_.tainted(builder, id, old);
  if (code_.suppresses()) {
    // What is corrupt goes to a place of our own: an update is too rare for blocks of its own.
    llvm::AllocaInst *nowhere =
        Builder(&function_.getEntryBlock(), function_.getEntryBlock().begin())
            .CreateAlloca(value->getType());
    nowhere->setAlignment(alignment);
    builder.CreateStore(llvm::Constant::getNullValue(value->getType()), nowhere);
    llvm::Value *is_bad = code_.is_corrupt(builder, builder.CreateOr(id, address_id));
    update.setOperand(address_operand, builder.CreateSelect(is_bad, nowhere, address));
    old = code_.tainted(builder, code_.tainted(builder, old, address_id), id);
    address = builder.CreateSelect(code_.is_corrupt(builder, address_id), nowhere, address);
  }
  set_id(&update, old);
  builder.SetInsertPoint(update.getNextNode());
  code_.store_cells(builder, address, size, alignment, id);
  if (code_.suppresses())
    stain_if_corrupt(builder, code_.hooks(), address, code_.number(size), id);
}

} // namespace culprit
