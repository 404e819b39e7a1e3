// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/varargs.h"

#include "abi/locate.h"
#include "pass/hooks.h"
#include "pass/locate/slots.h"
#include "pass/locate/stains.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <optional>

namespace culprit {

namespace {

constexpr unsigned kGeneral = 6;
constexpr unsigned kVector = 8;
constexpr unsigned kCount = kGeneral + kVector; // position of the number of words
constexpr unsigned kWords = kCount + 1;         // and of the words
constexpr uint64_t kWord = 8;
constexpr uint64_t kVectorSlot = 16; // bytes of a vector register in the save area
constexpr uint64_t kListSize = 24;   // va_list: offsets, then these two
constexpr uint64_t kStackField = 8;
constexpr uint64_t kSaveField = 16;

// Where a call's arguments are.
class Places {
public:
  struct Place {
    enum class Kind : uint8_t { general, vector, stack } kind;
    uint64_t start; // number of the register, or offset
    uint64_t count; // registers, or words
    bool has_id;
  };

  Places(const llvm::CallBase &call) : call_(call), layout_(call.getModule()->getDataLayout()) {}

  // In the order of arguments.
  Place next(unsigned argument) {
    llvm::Type *type = call_.getArgOperand(argument)->getType();
    if (call_.isByValArgument(argument))
      return on_stack(layout_.getTypeAllocSize(call_.getParamByValType(argument)),
                      call_.getParamAlign(argument).value_or(llvm::Align(kWord)), false);
    if (type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= 64))
      return in_registers(Place::Kind::general, general_, kGeneral, 1, kWord);
    if (type->isIntegerTy(128))
      return in_registers(Place::Kind::general, general_, kGeneral, 2, 2 * kWord);
    const uint64_t size = layout_.getTypeAllocSize(type).getKnownMinValue();
    const bool is_vector = type->isVectorTy() || type->isFloatTy() || type->isDoubleTy() ||
                           type->isHalfTy() || type->isBFloatTy() || type->isFP128Ty();
    if (is_vector && size <= kVectorSlot)
      return in_registers(Place::Kind::vector, vector_, kVector, 1, llvm::alignTo(size, kWord));
    return on_stack(size, layout_.getABITypeAlign(type), type->isX86_FP80Ty());
  }
  uint64_t stack() const { return stack_; }

private:
  Place in_registers(Place::Kind kind, unsigned &used, unsigned all, unsigned count,
                     uint64_t size) {
    if (used + count > all)
      return on_stack(size, llvm::Align(size), true);
    used += count;
    return {kind, used - count, count, true};
  }
  Place on_stack(uint64_t size, llvm::Align alignment, bool has_id) {
    const uint64_t start = llvm::alignTo(stack_, std::max(alignment, llvm::Align(kWord)));
    stack_ = llvm::alignTo(start + size, kWord);
    return {Place::Kind::stack, start, (stack_ - start) / kWord, has_id};
  }

  const llvm::CallBase &call_;
  const llvm::DataLayout &layout_;
  unsigned general_ = 0; // used
  unsigned vector_ = 0;
  uint64_t stack_ = 0; // bytes
};

} // namespace

llvm::Value *VariadicIds::slot(unsigned number) { return argument_slot(module_, number); }

void VariadicIds::send(llvm::IRBuilder<> &builder, llvm::CallBase &call,
                       llvm::ArrayRef<llvm::Value *> ids) {
  const unsigned fixed = call.getFunctionType()->getNumParams();
  if (!call.getFunctionType()->isVarArg() || fixed + kWords > CULPRIT_ARGUMENT_IDS)
    return;
  llvm::SmallVector<llvm::Value *, CULPRIT_ARGUMENT_IDS> slots(kWords, builder.getInt64(0));
  Places places(call);
  for (unsigned i = 0; i < fixed; ++i)
    places.next(i);
  const uint64_t start = llvm::alignTo(places.stack(), kWord);
  for (unsigned i = fixed; i < call.arg_size(); ++i) {
    const Places::Place place = places.next(i);
    uint64_t at = place.start;
    if (place.kind == Places::Place::Kind::vector)
      at += kGeneral;
    else if (place.kind == Places::Place::Kind::stack)
      at = kWords + (place.start - start) / kWord;
    for (uint64_t end = at + place.count; at < end; ++at) {
      if (fixed + at >= CULPRIT_ARGUMENT_IDS)
        break;
      if (slots.size() <= at)
        slots.resize(at + 1, builder.getInt64(0));
      if (place.has_id && i < ids.size())
        slots[at] = ids[i];
    }
  }
  slots[kCount] = builder.getInt64(slots.size() - kWords);
  for (unsigned i = 0; i < slots.size(); ++i)
    builder.CreateStore(slots[i], slot(fixed + i));
}

// void receiver(va_list, slots)
llvm::Function *VariadicIds::receiver() {
  if (receiver_ != nullptr)
    return receiver_;
  llvm::LLVMContext &context = module_.getContext();
  llvm::IRBuilder<> builder(context);
  llvm::Type *id_type = builder.getInt64Ty();
  receiver_ = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy(), builder.getPtrTy()}, false),
      llvm::GlobalValue::InternalLinkage, "culprit.receive_variadic", module_);
  receiver_->setDoesNotThrow();
  receiver_->addFnAttr(llvm::Attribute::NoInline);
  llvm::Argument *list = receiver_->getArg(0);
  llvm::Argument *slots = receiver_->getArg(1);
  auto *entry = llvm::BasicBlock::Create(context, "", receiver_);
  auto *loop = llvm::BasicBlock::Create(context, "loop", receiver_);
  auto *body = llvm::BasicBlock::Create(context, "body", receiver_);
  auto *end = llvm::BasicBlock::Create(context, "end", receiver_);
  auto memory = [&](uint64_t field) {
    return builder.CreateLoad(id_type, builder.CreatePtrAdd(list, builder.getInt64(field)));
  };
  auto cells = [&](llvm::Value *address) -> llvm::Value * {
    llvm::Value *offset =
        builder.CreateShl(builder.CreateAnd(address, builder.getInt64(CULPRIT_SHADOW_MASK)),
                          builder.getInt64(CULPRIT_SHADOW_SHIFT));
    return builder.CreateIntToPtr(builder.CreateAdd(offset, builder.getInt64(CULPRIT_SHADOW_BASE)),
                                  builder.getPtrTy());
  };
  auto id_in = [&](unsigned number) {
    return builder.CreateLoad(id_type, builder.CreateConstGEP1_64(id_type, slots, number));
  };
  auto set = [&](llvm::Value *first, uint64_t count, llvm::Value *id) {
    for (uint64_t i = 0; i < count; ++i)
      builder.CreateStore(id, builder.CreateConstGEP1_64(id_type, first, i));
  };
  builder.SetInsertPoint(entry);
  llvm::Value *save_area = memory(kSaveField);
  llvm::Value *cell = cells(save_area);
  llvm::Value *saved = builder.getInt64(0);
  for (unsigned i = 0; i < kCount; ++i) {
    const uint64_t count = (i < kGeneral ? kWord : kVectorSlot) / CULPRIT_CELL_BYTES;
    llvm::Value *id = id_in(i);
    saved = builder.CreateOr(saved, id);
    set(cell, count, id);
    cell = builder.CreateConstGEP1_64(id_type, cell, count);
  }
  llvm::Value *words = id_in(kCount);
  llvm::Value *stack = memory(kStackField);
  llvm::Value *on_stack = cells(stack);
  builder.SetInsertPoint(builder.CreateBr(loop));
  stain_if_corrupt(builder, hooks_, builder.CreateIntToPtr(save_area, builder.getPtrTy()),
                   builder.getInt64(kGeneral * kWord + kVector * kVectorSlot), saved);
  llvm::BasicBlock *before = builder.GetInsertBlock();
  builder.SetInsertPoint(loop);
  llvm::PHINode *number = builder.CreatePHI(id_type, 2);
  number->addIncoming(builder.getInt64(0), before);
  builder.CreateCondBr(builder.CreateICmpULT(number, words), body, end);
  builder.SetInsertPoint(body);
  llvm::Value *id = builder.CreateLoad(
      id_type,
      builder.CreateGEP(id_type, slots, builder.CreateAdd(number, builder.getInt64(kWords))));
  constexpr uint64_t kCells = kWord / CULPRIT_CELL_BYTES;
  set(builder.CreateGEP(id_type, on_stack, builder.CreateMul(number, builder.getInt64(kCells))),
      kCells, id);
  llvm::Value *next = builder.CreateAdd(number, builder.getInt64(1));
  llvm::Value *word = builder.CreateAdd(stack, builder.CreateMul(number, builder.getInt64(kWord)));
  builder.SetInsertPoint(builder.CreateBr(loop));
  stain_if_corrupt(builder, hooks_, builder.CreateIntToPtr(word, builder.getPtrTy()),
                   builder.getInt64(kWord), id);
  number->addIncoming(next, builder.GetInsertBlock());
  builder.SetInsertPoint(end);
  builder.CreateRetVoid();
  return receiver_;
}

void VariadicIds::receive(llvm::Function &function) {
  bool starts = false;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block) {
      const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (call == nullptr)
        continue;
      llvm::IRBuilder<> builder(instruction.getNextNode());
      if (call->getIntrinsicID() == llvm::Intrinsic::vastart) {
        starts = true;
        hooks_.call(builder, Hooks::define,
                    {call->getArgOperand(0), builder.getInt64(kListSize), builder.getInt64(0)});
      } else if (call->getIntrinsicID() == llvm::Intrinsic::vacopy) {
        hooks_.call(builder, Hooks::copy_ids,
                    {call->getArgOperand(0), call->getArgOperand(1), builder.getInt64(kListSize),
                     builder.getInt64(0)});
      }
    }
  const auto fixed = static_cast<unsigned>(function.arg_size());
  if (!starts || !function.isVarArg())
    return;
  // A list of our own says where the arguments are, now: the slots do not last.
  llvm::BasicBlock &entry = function.getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.begin());
  llvm::AllocaInst *list =
      builder.CreateAlloca(builder.getInt64Ty(), builder.getInt64(kListSize / kWord));
  builder.CreateIntrinsic(llvm::Intrinsic::vastart, {builder.getPtrTy()}, {list});
  llvm::Type *all_type = llvm::ArrayType::get(builder.getInt64Ty(), kWords);
  llvm::Value *none = module_.getGlobalVariable("culprit.no_ids", /*AllowInternal=*/true);
  if (none == nullptr)
    none = new llvm::GlobalVariable(module_, all_type, /*isConstant=*/true,
                                    llvm::GlobalValue::PrivateLinkage,
                                    llvm::Constant::getNullValue(all_type), "culprit.no_ids");
  llvm::Value *slots = none;
  if (fixed + kWords <= CULPRIT_ARGUMENT_IDS)
    slots = if_meant(builder, function, slot(fixed), none);
  builder.CreateCall(receiver(), {list, slots});
}

llvm::PreservedAnalyses VariadicIdsPass::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  Hooks hooks(module);
  VariadicIds variadic(module, hooks);
  std::vector<llvm::Function *> functions;
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  for (llvm::Function *function : functions) {
    for (llvm::BasicBlock &block : *function)
      for (llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
          llvm::IRBuilder<> builder(call);
          llvm::SmallVector<llvm::Value *> ids;
          for (unsigned i = 0; i < call->arg_size(); ++i)
            ids.push_back(builder.getInt64(i + 1));
          variadic.send(builder, *call, ids);
        }
    variadic.receive(*function);
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace culprit
