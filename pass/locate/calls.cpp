// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls: ids of arguments and results go through slots to code we see; code that we do not see
// makes definitions. Suppress: a call of unseen code with something corrupt is left out.
#include "pass/locate/rewriter.h"

#include "abi/locate.h"
#include "pass/call_graph.h"

#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace culprit {

namespace {

bool is_left_for_good(const llvm::CallBase &call) {
  const auto *plain = llvm::dyn_cast<llvm::CallInst>(&call);
  return plain != nullptr && plain->isMustTailCall();
}

// Everybody who calls it by name is code we see.
bool is_private(const llvm::Function &function) {
  return function.hasLocalLinkage() && !function.hasAddressTaken();
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
    llvm::BranchInst::Create(normal, own);
    invoke->setNormalDest(own);
    normal->replacePhiUsesWith(invoke->getParent(), own);
    split_edges_.insert(own);
    return &own->front();
  }
  return call.getNextNode();
}

void FunctionRewriter::call(llvm::CallBase &call) {
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

void FunctionRewriter::call_stop(llvm::CallBase &call) {
  Builder builder(&call);
  show(builder, call);
}

void FunctionRewriter::call_seen(llvm::CallBase &call, CallKind kind) {
  Builder builder(&call);
  const llvm::Function *callee = called_function(call);
  const bool has_result = !call.getType()->isVoidTy();
  llvm::SmallVector<llvm::Value *, 8> ids;
  for (unsigned i = 0; i < call.arg_size() && i < CULPRIT_ARGUMENT_IDS; ++i)
    ids.push_back(id_handed_on(builder, call, i));
  llvm::Value *pointer_id = id_of(call.getCalledOperand());
  llvm::Instruction *first = nullptr;
  if (kind == CallKind::unknown) {
    show(builder, call);
    first = builder.CreateStore(code_.number(0), code_.result_id());
  }
  for (unsigned i = 0; i < ids.size(); ++i)
    builder.CreateStore(ids[i], code_.argument_slot(i));
  if (callee == nullptr || !is_private(*callee))
    builder.CreateStore(call.getCalledOperand(), code_.callee());
  llvm::Instruction *next = behind(call);
  if (next == nullptr)
    return;
  if (has_result) {
    builder.SetInsertPoint(next);
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    llvm::Value *id = builder.CreateLoad(builder.getInt64Ty(), code_.result_id());
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
  if (kind == CallKind::unknown && code_.suppresses() && pointer_id != code_.number(0))
    leave_out(call, *first, pointer_id, id_of(&call), *next);
}

void FunctionRewriter::call_unseen(llvm::CallBase &call) {
  Builder builder(&call);
  llvm::Value *any = code_.number(0);
  for (llvm::Value *argument : call.args())
    if (llvm::Value *id = id_of(argument); id != code_.number(0))
      any = any == code_.number(0) ? id : builder.CreateOr(any, id);
  const unsigned definition = plan_.definitions.lookup(&call);
  const bool tells = is_allocation_call(call) || is_free_call(call);
  llvm::Value *told = nullptr;
  if (tells && definition != 0) {
    told = code_.new_id(builder, definition);
    if (code_.suppresses())
      any = builder.CreateOr(any, told);
  }
  show(builder, call);
  llvm::Instruction *first =
      builder.CreateStore(llvm::ConstantPointerNull::get(builder.getPtrTy()), code_.callee());
  if (told != nullptr)
    builder.CreateStore(told, code_.allocation_id());
  llvm::Instruction *next = behind(call);
  if (next == nullptr || call.doesNotReturn())
    return;
  if (definition != 0) {
    builder.SetInsertPoint(next);
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    llvm::Value *id = told != nullptr ? told : code_.new_id(builder, definition);
    if (!call.getType()->isVoidTy())
      set_id(&call, id);
    if (llvm::Type *result = call.getParamStructRetType(0))
      code_.hooks().call(
          builder, Hooks::define,
          {call.getArgOperand(0), code_.number(layout_.getTypeAllocSize(result)), id});
  }
  if (code_.suppresses() && any != code_.number(0))
    leave_out(call, *first, any, id_of(&call), *next);
}

void FunctionRewriter::call_memory(llvm::AnyMemIntrinsic &call) {
  Builder builder(&call);
  llvm::Value *any = code_.number(0);
  for (llvm::Value *argument : call.args())
    if (llvm::Value *id = id_of(argument); id != code_.number(0))
      any = any == code_.number(0) ? id : builder.CreateOr(any, id);
  llvm::Value *id = code_.new_id(builder, plan_.definitions.lookup(&call));
  show(builder, call);
  llvm::Instruction *next = behind(call);
  llvm::Value *length = builder.CreateZExtOrTrunc(call.getLength(), builder.getInt64Ty());
  Builder later(next);
  later.SetCurrentDebugLocation(call.getDebugLoc());
  auto *copy = llvm::dyn_cast<llvm::AnyMemTransferInst>(&call);
  if (copy != nullptr)
    code_.hooks().call(later, Hooks::copy_ids,
                       {call.getRawDest(), copy->getRawSource(), length, id});
  else
    code_.hooks().call(later, Hooks::define, {call.getRawDest(), length, id});
  if (!code_.suppresses())
    return;
  llvm::Value *address = call.getRawDest();
  llvm::BasicBlock *before = call.getParent();
  leave_out(call, call, builder.CreateOr(any, id), code_.number(0), *next);
  // What was not written at a good address is corrupt.
  llvm::BranchInst *jump = llvm::cast<llvm::BranchInst>(before->getTerminator());
  llvm::BasicBlock *marks =
      llvm::BasicBlock::Create(function_.getContext(), "culprit.marks", &function_);
  llvm::BasicBlock *after = jump->getSuccessor(0);
  jump->setSuccessor(0, marks);
  Builder in_marks(marks);
  in_marks.SetCurrentDebugLocation(call.getDebugLoc());
  llvm::Value *bad = code_.newer(in_marks, id_of(address), id_of(call.getLength()));
  llvm::Value *size =
      in_marks.CreateSelect(code_.is_corrupt(in_marks, bad), code_.number(0), length);
  code_.hooks().call(
      in_marks, Hooks::define,
      {in_marks.CreateSelect(code_.is_corrupt(in_marks, bad), code_.nothing(), address), size,
       in_marks.CreateOr(id, code_.corrupt())});
  in_marks.CreateBr(after);
}

// before: br corrupt, after, made; made: first … call … ; br after; after: next …
void FunctionRewriter::leave_out(llvm::CallBase &call, llvm::Instruction &first, llvm::Value *any,
                                 llvm::Value *result_id, llvm::Instruction &next) {
  llvm::BasicBlock *before = first.getParent();
  llvm::BasicBlock *made = before->splitBasicBlock(first.getIterator());
  llvm::BasicBlock *end = next.getParent();
  llvm::BasicBlock *after = end->splitBasicBlock(next.getIterator());
  before->getTerminator()->eraseFromParent();
  Builder builder(before);
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  builder.CreateCondBr(code_.is_corrupt(builder, any), after, made, unlikely());
  if (call.getType()->isVoidTy())
    return;
  builder.SetInsertPoint(after, after->begin());
  llvm::PHINode *result = builder.CreatePHI(call.getType(), 2);
  call.replaceAllUsesWith(result);
  result->addIncoming(&call, end);
  result->addIncoming(llvm::Constant::getNullValue(call.getType()), before);
  llvm::PHINode *id = builder.CreatePHI(builder.getInt64Ty(), 2);
  id->addIncoming(result_id, end);
  id->addIncoming(code_.corrupt(), before);
  set_id(&call, id);
  set_id(result, id);
}

void FunctionRewriter::give_back(llvm::ReturnInst &result) {
  if (result.getReturnValue() == nullptr)
    return;
  if (result.getParent()->getTerminatingMustTailCall() != nullptr)
    return; // what it says is what we say
  Builder builder(&result);
  llvm::Value *id = id_handed_on(builder, result, 0);
  builder.CreateStore(id, code_.result_id());
}

} // namespace culprit
