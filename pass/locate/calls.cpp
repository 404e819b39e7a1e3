// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls: ids of arguments and results go through slots to code we see; code that we do not see
// makes definitions. Suppress: a call of unseen code with something corrupt is left out.
#include "pass/locate/rewriter.h"

#include "abi/locate.h"
#include "pass/call_graph.h"
#include "pass/locate/dead_ends.h"
#include "pass/locate/lent.h"
#include "pass/locate/records.h"
#include "pass/locate/slots.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace culprit {

namespace {

constexpr uint64_t kSmallFill = 64; // bytes

bool is_left_for_good(const llvm::CallBase &call) {
  const auto *plain = llvm::dyn_cast<llvm::CallInst>(&call);
  return plain != nullptr && plain->isMustTailCall();
}

} // namespace

llvm::Instruction *FunctionRewriter::behind(llvm::CallBase &call) {
  if (is_left_for_good(call))
    return nullptr;
  if (auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) {
    llvm::BasicBlock *normal = invoke->getNormalDest();
    // An edge of its own, so that what is inserted belongs to this call.
    if (normal->getSinglePredecessor() != nullptr && !llvm::isa<llvm::PHINode>(normal->front()) &&
        split_edges_.contains(normal))
      return &normal->front();
    llvm::BasicBlock *own =
        llvm::BasicBlock::Create(function_.getContext(), "", &function_, normal);
    origins_[llvm::IRBuilder<>(own).CreateBr(normal)] = origins_.lookup(invoke);
    invoke->setNormalDest(own);
    normal->replacePhiUsesWith(invoke->getParent(), own);
    split_edges_.insert(own);
    return &own->front();
  }
  return call.getNextNode();
}

void FunctionRewriter::call(llvm::CallBase &call) {
  uses_of_result_.clear();
  for (llvm::Use &use : call.uses())
    uses_of_result_.push_back(&use);
  switch (const CallKind kind = kind_of(call)) {
  case CallKind::nothing:
    return;
  case CallKind::computed:
    compute(call);
    return;
  case CallKind::seen:
  case CallKind::unknown:
    call_seen(call, kind);
    return;
  case CallKind::copies:
  case CallKind::fills:
    call_memory(llvm::cast<llvm::AnyMemIntrinsic>(call));
    return;
  case CallKind::stops:
    call_stop(call);
    return;
  case CallKind::unseen:
    call_unseen(call);
    return;
  }
}

void FunctionRewriter::call_seen(llvm::CallBase &call, CallKind kind) {
  Builder builder(&call);
  const llvm::Function *callee = called_function(call);
  const bool has_result = !call.getType()->isVoidTy();
  if (code_.suppresses())
    for (unsigned i = 0; i < call.arg_size(); ++i)
      if (call.isByValArgument(i))
        replace_corrupt_copy(builder, call, i);
  llvm::SmallVector<llvm::Value *, 8> ids;
  for (unsigned i = 0; i < call.arg_size() && i < CULPRIT_ARGUMENT_IDS; ++i)
    // Of what is copied, the callee takes the ids from where the original is.
    ids.push_back(call.isByValArgument(i)
                      ? builder.CreatePtrToInt(call.getArgOperand(i), builder.getInt64Ty())
                      : id_handed_on(builder, call, i));
  llvm::Value *pointer_id = id_of(call.getCalledOperand());
  llvm::Instruction *first = nullptr;
  if (kind == CallKind::unknown) {
    show(builder, call);
    hand_out(builder, call);
    first = builder.CreateStore(code_.number(0), code_.result_id());
  }
  const bool is_variadic = call.getFunctionType()->isVarArg();
  for (unsigned i = 0; i < ids.size(); ++i)
    if (!is_variadic || i < call.getFunctionType()->getNumParams())
      parameters_.note_argument(
          call, i, *builder.CreateStore(ids[i], argument_slot(*function_.getParent(), i)));
  if (is_variadic)
    variadic_.send(builder, call, ids);
  if (plan_.recursions.contains(&call))
    show_last(builder);
  if (is_dead_end(call))
    call_stop(call);
  if (callee == nullptr || !is_called_by_name_only(*callee))
    builder.CreateStore(call.getCalledOperand(), code_.callee());
  llvm::Instruction *next = behind(call);
  if (next == nullptr)
    return;
  if (has_result) {
    builder.SetInsertPoint(next);
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    llvm::Value *id = id_of_result(builder, call);
    if (kind == CallKind::unknown) {
      // It was unseen code if nobody said anything.
      llvm::BasicBlock *before = next->getParent();
      llvm::Instruction *quiet = llvm::SplitBlockAndInsertIfThen(
          builder.CreateICmpEQ(id, code_.number(0)), next, /*Unreachable=*/false, unlikely());
      Builder in_quiet(quiet);
      in_quiet.SetCurrentDebugLocation(call.getDebugLoc());
      llvm::Value *made = code_.new_id(in_quiet, plan_.definitions.lookup(&call));
      builder.SetInsertPoint(next->getParent(), next->getParent()->begin());
      llvm::PHINode *either = builder.CreatePHI(builder.getInt64Ty(), 2);
      either->addIncoming(id, before);
      either->addIncoming(made, quiet->getParent());
      id = either;
    }
    set_id(&call, id);
  }
  if (kind != CallKind::unknown || !code_.suppresses())
    return;
  Builder before(first);
  llvm::Value *any = before.CreateOr(pointer_id, argument_of_unseen(before, call));
  if (!llvm::isa<llvm::Constant>(any))
    leave_out(call, *first, any, id_of(&call), *next);
}

// Flavour origins: what the call is given pointers to it may write, if nobody sees its code.
void FunctionRewriter::hand_out(Builder &builder, llvm::CallBase &call) {
  if (!code_.keeps_origins())
    return;
  llvm::Value *code = call.getCalledOperand();
  if (called_function(call) != nullptr)
    code = llvm::ConstantPointerNull::get(builder.getPtrTy());
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (call.getArgOperand(i)->getType() == builder.getPtrTy() && !call.onlyReadsMemory(i) &&
        !llvm::isa<llvm::Constant>(call.getArgOperand(i)))
      code_.hooks().call(builder, Hooks::handed_out,
                         {code, call.getArgOperand(i), code_.number(size_referred(call, i))});
}

// A result that is several values has an id for each: what stands for them here never is in memory.
llvm::Value *FunctionRewriter::id_of_result(Builder &builder, llvm::CallBase &call) {
  auto next = [&](unsigned number) {
    llvm::LoadInst *given = builder.CreateLoad(builder.getInt64Ty(), code_.result_id(number));
    parameters_.note_result(call, *given);
    return code_.given(builder, given);
  };
  const llvm::Function *callee = called_function(call);
  if (callee == nullptr || !callee->hasFnAttribute(kRecordResult))
    return next(0);
  llvm::Value *newest = code_.number(0);
  llvm::SmallVector<llvm::Value *, 4> &ids = record_ids_[&call];
  for (unsigned i = 0; i < count_ids_of_result(*callee); ++i) {
    ids.push_back(next(i));
    newest = code_.newer(builder, newest, ids.back());
  }
  return newest;
}

// What is passed by value is copied on the way, from wherever the pointer leads.
void FunctionRewriter::replace_corrupt_copy(Builder &builder, llvm::CallBase &call,
                                            unsigned argument) {
  llvm::Value *original = call.getArgOperand(argument);
  llvm::Value *id = id_of(original);
  if (llvm::isa<llvm::Constant>(id))
    return;
  llvm::Type *type = call.getParamByValType(argument);
  const uint64_t size = layout_.getTypeAllocSize(type).getFixedValue();
  llvm::AllocaInst *instead =
      Builder(&function_.getEntryBlock(), function_.getEntryBlock().begin()).CreateAlloca(type);
  instead->setAlignment(std::max(instead->getAlign(), call.getParamAlign(argument).valueOrOne()));
  llvm::Value *is_bad = code_.is_corrupt(builder, id);
  builder.CreateMemSet(instead, builder.getInt8(0),
                       builder.CreateSelect(is_bad, code_.number(size), code_.number(0)),
                       instead->getAlign());
  code_.hooks().call(builder, Hooks::define,
                     {instead, builder.CreateSelect(is_bad, code_.number(size), code_.number(0)),
                      code_.corrupt()});
  call.setArgOperand(argument, builder.CreateSelect(is_bad, instead, original));
}

// Of all arguments together, if the pointer leads out of the program's own code; else 0.
llvm::Value *FunctionRewriter::argument_of_unseen(Builder &builder, llvm::CallBase &call) {
  llvm::Value *any = any_argument(builder, call);
  if (llvm::isa<llvm::Constant>(any))
    return code_.number(0);
  llvm::GlobalVariable *code =
      code_.variable(CULPRIT_CODE_SYMBOL, llvm::ArrayType::get(builder.getInt64Ty(), 2));
  auto bound = [&](unsigned which) {
    return builder.CreateLoad(builder.getInt64Ty(),
                              builder.CreateConstGEP1_64(builder.getInt64Ty(), code, which));
  };
  llvm::Value *start = bound(0);
  llvm::Value *target = builder.CreatePtrToInt(call.getCalledOperand(), builder.getInt64Ty());
  llvm::Value *is_own =
      builder.CreateICmpULT(builder.CreateSub(target, start), builder.CreateSub(bound(1), start));
  return builder.CreateSelect(is_own, code_.number(0), any);
}

llvm::Value *FunctionRewriter::any_argument(Builder &builder, llvm::CallBase &call) {
  llvm::Value *any = code_.number(0);
  for (llvm::Value *argument : call.args())
    if (llvm::Value *id = id_of(argument); id != code_.number(0))
      any = any == code_.number(0)  ? id
            : code_.keeps_origins() ? code_.newer(builder, any, id)
                                    : builder.CreateOr(any, id);
  return any;
}

void FunctionRewriter::call_unseen(llvm::CallBase &call) {
  const bool sorts = Hooks::is_sort(call);
  call_library(call);
  if (sorts)
    code_.hooks().replace_sort(call);
}

void FunctionRewriter::call_library(llvm::CallBase &call) {
  Builder builder(&call);
  const unsigned definition = plan_.definitions.lookup(&call);
  const bool tells = is_allocation_call(call) || is_free_call(call);
  const bool writes = !tells && LibraryIds::writes(call);
  const bool sorts = Hooks::is_sort(call);
  show(builder, call);
  code_.show_pointers(builder, call);
  const bool is_unknown = !tells && !LibraryIds::is_known(call);
  llvm::SmallVector<Lent, 2> lent;
  if (is_unknown) {
    hand_out(builder, call);
    if (definition != 0 && !call.doesNotReturn() && !is_left_for_good(call))
      lent = lend(builder, call);
  }
  llvm::Value *any = code_.number(0);
  if (code_.suppresses() && !call.doesNotReturn()) {
    any = any_argument(builder, call);
    any = library_.read_id(builder, call, any);
  }
  llvm::Value *origin = any;
  // What can be suppressed with the call is made before it.
  llvm::Value *id = nullptr;
  if ((tells || writes) && definition != 0) {
    id = code_.new_id(builder, definition);
    if (code_.suppresses())
      any = builder.CreateOr(any, id);
  }
  llvm::Instruction *first =
      builder.CreateStore(llvm::ConstantPointerNull::get(builder.getPtrTy()), code_.callee());
  if ((tells || sorts) && id != nullptr)
    builder.CreateStore(id, code_.allocation_id());
  llvm::Instruction *next = behind(call);
  if (next == nullptr || call.doesNotReturn())
    return;
  if (definition != 0) {
    builder.SetInsertPoint(next);
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    if (writes && !sorts)
      library_.define(call, *next, code_.kept(builder, id, origin));
    if (id == nullptr)
      id = code_.new_id(builder, definition);
    take_back(builder, lent, id);
    if (!call.getType()->isVoidTy()) {
      const auto same = tells ? std::nullopt : LibraryIds::returned_argument(call);
      if (same && id_of(call.getArgOperand(*same)) != code_.number(0))
        set_id(&call, LibraryIds::result_id(builder, call, id_of(call.getArgOperand(*same)), id));
      else
        set_id(&call, code_.kept(builder, id, origin));
    }
  }
  if (!code_.suppresses() || llvm::isa<llvm::Constant>(any))
    return;
  llvm::BasicBlock *skipped = leave_out(call, *first, any, id_of(&call), *next);
  Builder marks(skipped->getTerminator());
  marks.SetCurrentDebugLocation(call.getDebugLoc());
  if (!lent.empty())
    keep_back(marks, call, code_.corrupt());
  if (!writes)
    return;
  llvm::SmallVector<llvm::Value *, 8> ids;
  for (llvm::Value *argument : call.args())
    ids.push_back(id_of(argument));
  library_.leave_out(marks, call, ids, marks.getTrue(),
                     marks.CreateOr(id != nullptr ? id : any, code_.corrupt()), room_of(call));
}

uint64_t FunctionRewriter::room_of(const llvm::CallBase &call) const {
  const uint64_t room = plan_.rooms.lookup(&call);
  return room != 0 ? room : kNoRoomKnown;
}

void FunctionRewriter::call_memory(llvm::AnyMemIntrinsic &call) {
  Builder builder(&call);
  llvm::Value *any = any_argument(builder, call);
  llvm::Value *id = code_.new_id(builder, plan_.definitions.lookup(&call));
  show(builder, call);
  // One of a length that is known goes no further than it should.
  if (!llvm::isa<llvm::Constant>(call.getLength()))
    code_.show_pointers(builder, call);
  llvm::Instruction *next = behind(call);
  llvm::Value *length = builder.CreateZExtOrTrunc(call.getLength(), builder.getInt64Ty());
  Builder later(next);
  later.SetCurrentDebugLocation(call.getDebugLoc());
  const llvm::Align to = call.getDestAlign().valueOrOne();
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(call.getLength());
  const uint64_t bytes = constant != nullptr ? constant->getZExtValue() : ~0ULL;
  if (auto *copy = llvm::dyn_cast<llvm::AnyMemTransferInst>(&call)) {
    copy_ids(*copy, *next, length, id);
    own_if_beyond(*copy, *next, length, id);
    own_behind_room(*copy, *next, length, id);
  } else if (bytes <= kSmallFill) {
    code_.store_cells(later, call.getRawDest(), bytes, to, id);
  } else {
    code_.hooks().call(later, Hooks::define, {call.getRawDest(), length, id});
  }
  if (!code_.suppresses())
    return;
  llvm::BasicBlock *skipped =
      leave_out(call, call, builder.CreateOr(any, id), code_.number(0), *next);
  // What was not written at a good address is corrupt.
  Builder marks(skipped->getTerminator());
  llvm::Value *bad =
      code_.is_corrupt(marks, marks.CreateOr(id_of(call.getRawDest()), id_of(call.getLength())));
  llvm::Value *to_mark = marks.CreateSelect(bad, code_.nothing(), call.getRawDest());
  llvm::Value *bytes_left_out = marks.CreateSelect(bad, code_.number(0), length);
  llvm::Value *corrupt = marks.CreateOr(id, code_.corrupt());
  if (const uint64_t room = room_of(call); room != kNoRoomKnown)
    code_.hooks().call(marks, Hooks::left_out,
                       {to_mark, bytes_left_out, corrupt, code_.number(room)});
  code_.hooks().call(marks, Hooks::define, {to_mark, bytes_left_out, corrupt});
}

void FunctionRewriter::copy_ids(llvm::AnyMemTransferInst &copy, llvm::Instruction &next,
                                llvm::Value *length, llvm::Value *id) {
  llvm::Value *to = copy.getRawDest();
  Builder later(&next);
  later.SetCurrentDebugLocation(copy.getDebugLoc());
  const llvm::Align alignment =
      std::min(copy.getDestAlign().valueOrOne(), copy.getSourceAlign().valueOrOne());
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  // What a variable begins with was written down here, and nowhere else.
  if (constant != nullptr && initializer_of(copy) != nullptr) {
    if (constant->getZExtValue() <= kSmallFill)
      code_.store_cells(later, to, constant->getZExtValue(), copy.getDestAlign().valueOrOne(), id);
    else
      code_.hooks().call(later, Hooks::define, {to, length, id});
    return;
  }
  const bool is_small =
      constant != nullptr &&
      code_.copy_cells(later, to, copy.getRawSource(), constant->getZExtValue(), alignment);
  if (is_small) {
    if (constant->isZero() || !plan_.elements.contains(&copy))
      return;
    Builder before(&copy);
    const uint64_t last = constant->getZExtValue() - CULPRIT_CELL_BYTES;
    llvm::Value *astray = is_astray(before, before.CreatePtrAdd(to, code_.number(last)),
                                    CULPRIT_CELL_BYTES, alignment);
    llvm::Instruction *cold =
        llvm::SplitBlockAndInsertIfThen(astray, &next, /*Unreachable=*/false, unlikely());
    later.SetInsertPoint(cold);
  }
  // The runtime knows where blocks and globals end; of a variable of the function we do.
  const auto *local =
      llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(to, /*MaxLookup=*/0));
  if (local == nullptr || !local->isStaticAlloca()) {
    code_.hooks().call(later, Hooks::copy_ids, {to, copy.getRawSource(), length, id});
    return;
  }
  llvm::Value *whole = code_.number(local->getAllocationSize(layout_)->getFixedValue());
  llvm::Value *offset = later.CreateSub(
      later.CreatePtrToInt(to, later.getInt64Ty()),
      later.CreatePtrToInt(const_cast<llvm::AllocaInst *>(local), later.getInt64Ty()));
  llvm::Value *room =
      later.CreateSub(whole, later.CreateBinaryIntrinsic(llvm::Intrinsic::umin, offset, whole));
  llvm::Value *inside = later.CreateBinaryIntrinsic(llvm::Intrinsic::umin, room, length);
  if (!is_small)
    code_.hooks().call(later, Hooks::copy_ids, {to, copy.getRawSource(), inside, id});
  code_.hooks().call(later, Hooks::define,
                     {later.CreatePtrAdd(to, inside), later.CreateSub(length, inside), id});
}

// An element behind the end of its array, which may be a member with others behind it: what is
// written there is this copy's own.
void FunctionRewriter::own_if_beyond(llvm::AnyMemTransferInst &copy, llvm::Instruction &next,
                                     llvm::Value *length, llvm::Value *id) {
  if (!plan_.elements.contains(&copy))
    return;
  Builder before(&copy);
  llvm::Value *is_out = leaves_array(before, copy.getRawDest());
  if (is_out == nullptr)
    return;
  Builder cold(llvm::SplitBlockAndInsertIfThen(is_out, &next, /*Unreachable=*/false, unlikely()));
  cold.SetCurrentDebugLocation(copy.getDebugLoc());
  code_.hooks().call(cold, Hooks::define, {copy.getRawDest(), length, id});
}

// What is copied behind the end of a member is this copy's own, too.
void FunctionRewriter::own_behind_room(llvm::AnyMemTransferInst &copy, llvm::Instruction &next,
                                       llvm::Value *length, llvm::Value *id) {
  const uint64_t room = room_of(copy);
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(length);
  if (room == kNoRoomKnown || (constant != nullptr && constant->getZExtValue() <= room))
    return;
  Builder before(&copy);
  Builder cold(llvm::SplitBlockAndInsertIfThen(before.CreateICmpUGT(length, code_.number(room)),
                                               &next, /*Unreachable=*/false, unlikely()));
  cold.SetCurrentDebugLocation(copy.getDebugLoc());
  code_.hooks().call(cold, Hooks::define,
                     {cold.CreatePtrAdd(copy.getRawDest(), code_.number(room)),
                      cold.CreateSub(length, code_.number(room)), id});
}

// before: br corrupt, skipped, made; made: first … call … ; br after; after: next …
llvm::BasicBlock *FunctionRewriter::leave_out(llvm::CallBase &call, llvm::Instruction &first,
                                              llvm::Value *any, llvm::Value *result_id,
                                              llvm::Instruction &next) {
  llvm::BasicBlock *before = first.getParent();
  llvm::BasicBlock *made = before->splitBasicBlock(first.getIterator());
  llvm::BasicBlock *end = next.getParent();
  llvm::BasicBlock *after = end->splitBasicBlock(next.getIterator());
  before->getTerminator()->eraseFromParent();
  llvm::BasicBlock *skipped =
      llvm::BasicBlock::Create(function_.getContext(), "culprit.skipped", &function_);
  Builder builder(before);
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  builder.CreateCondBr(code_.is_corrupt(builder, any), skipped, made, unlikely());
  builder.SetInsertPoint(skipped);
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  builder.CreateBr(after);
  if (call.getType()->isVoidTy())
    return skipped;
  builder.SetInsertPoint(after, after->begin());
  llvm::PHINode *result = builder.CreatePHI(call.getType(), 2);
  for (llvm::Use *use : uses_of_result_) // what was inserted behind the call is left out with it
    use->set(result);
  result->addIncoming(&call, end);
  result->addIncoming(llvm::Constant::getNullValue(call.getType()), skipped);
  llvm::PHINode *id = builder.CreatePHI(builder.getInt64Ty(), 2);
  id->addIncoming(result_id, end);
  id->addIncoming(code_.corrupt(), skipped);
  set_id(&call, id);
  set_id(result, id);
  return skipped;
}

void FunctionRewriter::give_back(llvm::ReturnInst &result) {
  if (result.getReturnValue() == nullptr)
    return;
  if (result.getParent()->getTerminatingMustTailCall() != nullptr)
    return; // what it says is what we say
  Builder builder(&result);
  if (!function_.hasFnAttribute(kRecordResult)) {
    llvm::Value *id = id_handed_on(builder, result, 0);
    parameters_.note_return(result, *builder.CreateStore(id, code_.result_id()));
    return;
  }
  for (unsigned i = 0; i < count_ids_of_result(function_); ++i) {
    llvm::Value *member = llvm::FindInsertedValue(result.getReturnValue(), i);
    llvm::Value *id = member != nullptr ? id_of(member) : code_.number(0);
    parameters_.note_return(result, *builder.CreateStore(id, code_.result_id(i)));
  }
}

} // namespace culprit
