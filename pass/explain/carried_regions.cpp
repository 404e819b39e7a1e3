// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/explain/carried_regions.h"

#include "abi/indexing.h"
#include "pass/call_graph.h"
#include "pass/explain/ids.h"
#include "pass/explain/rewriter.h"
#include "pass/hooks.h"
#include "pass/library_table.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace culprit {

namespace {

// A word that may hold a pointer.
bool is_word(const llvm::Type *type) { return type->isPointerTy() || type->isIntegerTy(64); }

bool is_open(const llvm::Function &function) {
  return !function.hasLocalLinkage() || function.hasAddressTaken();
}

class Carrier {
public:
  Carrier(llvm::Function &function, Hooks &hooks)
      : function_(function), hooks_(hooks), module_(*function.getParent()),
        wide_(llvm::Type::getInt64Ty(function.getContext())) {}

  void rewrite() {
    part_invokes();
    llvm::SmallVector<llvm::Instruction *> work;
    for (llvm::Instruction &instruction : llvm::instructions(function_))
      work.push_back(&instruction);
    for (llvm::Instruction *instruction : work)
      carry(*instruction);
  }

private:
  // What an invoke results in is known in a block of its own.
  void part_invokes() {
    llvm::SmallVector<llvm::InvokeInst *> shared;
    for (llvm::BasicBlock &block : function_)
      if (auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(block.getTerminator());
          invoke != nullptr && invoke->getType()->isPointerTy() &&
          invoke->getNormalDest()->getSinglePredecessor() == nullptr)
        shared.push_back(invoke);
    for (llvm::InvokeInst *invoke : shared)
      llvm::SplitEdge(invoke->getParent(), invoke->getNormalDest());
  }

  llvm::Value *slot(llvm::IRBuilder<> &builder, llvm::StringRef name, unsigned number = 0) {
    llvm::GlobalVariable &variable = runtime_thread_local(
        module_, name, llvm::ArrayType::get(wide_, CULPRIT_REGION_ARGUMENT_COUNT));
    return builder.CreateConstInBoundsGEP1_64(wide_, builder.CreateThreadLocalAddress(&variable),
                                              number);
  }

  llvm::Value *cell(llvm::IRBuilder<> &builder, llvm::Value *address) {
    llvm::Value *masked = builder.CreateAnd(builder.CreatePtrToInt(address, wide_),
                                            builder.getInt64(CULPRIT_REGIONS_MASK));
    return builder.CreateIntToPtr(builder.CreateAdd(masked, builder.getInt64(CULPRIT_REGIONS_BASE)),
                                  builder.getPtrTy());
  }

  llvm::Value *nobody() { return llvm::ConstantInt::get(wide_, 0); }

  // Of a pointer, or of a number that is one.
  llvm::Value *region_of(llvm::Value *value) {
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(value))
      return region_of_constant(*constant);
    const auto known = regions_.find(value);
    if (known != regions_.end())
      return known->second;
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(value))
      return region_of_phi(*phi);
    // Not by reference into the map: it grows meanwhile.
    llvm::Value *region = llvm::isa<llvm::Argument>(value)
                              ? region_of_argument(llvm::cast<llvm::Argument>(*value))
                              : region_of_result(llvm::cast<llvm::Instruction>(*value));
    regions_[value] = region;
    return region;
  }

  llvm::Value *region_of_constant(llvm::Constant &constant) {
    if (!constant.getType()->isPointerTy())
      return nobody();
    auto *object =
        llvm::dyn_cast<llvm::GlobalObject>(llvm::getUnderlyingObject(&constant, /*MaxLookup=*/0));
    return object == nullptr || object->isThreadLocal()
               ? nobody()
               : static_cast<llvm::Value *>(llvm::ConstantExpr::getPtrToInt(object, wide_));
  }

  llvm::Value *region_of_phi(llvm::PHINode &phi) {
    auto *made =
        llvm::PHINode::Create(wide_, phi.getNumIncomingValues(), "region", phi.getIterator());
    regions_[&phi] = made;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      made->addIncoming(region_of(phi.getIncomingValue(i)), phi.getIncomingBlock(i));
    return made;
  }

  // An open function may be called by who does not hand over anything.
  llvm::Value *region_of_argument(llvm::Argument &argument) {
    if (argument.getArgNo() >= CULPRIT_REGION_ARGUMENT_COUNT || function_.isVarArg())
      return nobody();
    llvm::IRBuilder<> builder(&*function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    llvm::Value *region =
        builder.CreateLoad(wide_, slot(builder, CULPRIT_REGION_ARGUMENTS, argument.getArgNo()));
    if (!is_open(function_))
      return region;
    llvm::Value *meant = builder.CreateLoad(wide_, slot(builder, CULPRIT_REGION_CALLEE));
    return builder.CreateSelect(
        builder.CreateICmpEQ(meant, llvm::ConstantExpr::getPtrToInt(&function_, wide_)), region,
        nobody());
  }

  static llvm::Instruction *behind(llvm::Instruction &instruction) {
    if (auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(&instruction))
      return &*invoke->getNormalDest()->getFirstInsertionPt();
    return instruction.getNextNode();
  }

  llvm::Value *region_of_result(llvm::Instruction &result) {
    if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&result))
      return address->getType()->isPointerTy() ? region_of(address->getPointerOperand()) : nobody();
    if (auto *number = llvm::dyn_cast<llvm::PtrToIntInst>(&result))
      return number->getSrcTy()->isPointerTy() ? region_of(number->getPointerOperand()) : nobody();
    if (llvm::isa<llvm::CallBrInst>(result) ||
        (result.isTerminator() && !llvm::isa<llvm::InvokeInst>(result)))
      return nobody();
    llvm::IRBuilder<> builder(behind(result));
    if (llvm::isa<llvm::AllocaInst>(result))
      return builder.CreatePtrToInt(&result, wide_);
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&result))
      return builder.CreateLoad(wide_, cell(builder, load->getPointerOperand()));
    if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&result);
        select != nullptr && !select->getCondition()->getType()->isVectorTy()) {
      llvm::Value *yes = region_of(select->getTrueValue());
      llvm::Value *no = region_of(select->getFalseValue());
      return builder.CreateSelect(select->getCondition(), yes, no);
    }
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&result); call != nullptr)
      return region_of_call(builder, *call);
    return nobody();
  }

  llvm::Value *region_of_call(llvm::IRBuilder<> &builder, llvm::CallBase &call) {
    if (!is_program_call(call) || !call.getType()->isPointerTy())
      return nobody();
    if (const llvm::Function *library = called_library_function(call)) {
      if (!allocation_hook(library->getName()).empty())
        return builder.CreatePtrToInt(&call, wide_);
      const auto argument = returned_argument(call);
      return argument && *argument < call.arg_size() ? region_of(call.getArgOperand(*argument))
                                                     : nobody();
    }
    return hands_over(call) ? builder.CreateLoad(wide_, slot(builder, CULPRIT_REGION_RESULT))
                            : nobody();
  }

  // To code that takes it: seen, or perhaps seen.
  static bool hands_over(const llvm::CallBase &call) {
    if (!is_program_call(call) || call.isMustTailCall())
      return false;
    const llvm::Function *callee = called_function(call);
    return callee == nullptr || is_explained(*callee);
  }

  void carry(llvm::Instruction &instruction) {
    llvm::IRBuilder<> builder(&instruction);
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      if (is_word(store->getValueOperand()->getType()))
        builder.CreateStore(region_of(store->getValueOperand()),
                            cell(builder, store->getPointerOperand()));
    } else if (auto *result = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
      if (result->getReturnValue() != nullptr && result->getReturnValue()->getType()->isPointerTy())
        builder.CreateStore(region_of(result->getReturnValue()),
                            slot(builder, CULPRIT_REGION_RESULT));
    } else if (auto *whole = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
      carry_range(builder, *whole);
    } else if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
               call != nullptr && hands_over(*call)) {
      hand_over(builder, *call);
    }
  }

  void carry_range(llvm::IRBuilder<> &builder, llvm::MemIntrinsic &whole) {
    if (const auto *length = llvm::dyn_cast<llvm::ConstantInt>(whole.getLength());
        length != nullptr && length->getZExtValue() < sizeof(uint64_t))
      return;
    llvm::Value *size = builder.CreateZExtOrTrunc(whole.getLength(), wide_);
    auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&whole);
    mark_own(*(copy != nullptr
                   ? hooks_.call(builder, Hooks::regions_copied,
                                 {copy->getRawDest(), copy->getRawSource(), size})
                   : hooks_.call(builder, Hooks::regions_cleared, {whole.getRawDest(), size})));
  }

  void hand_over(llvm::IRBuilder<> &builder, llvm::CallBase &call) {
    const llvm::Function *callee = called_function(call);
    bool any = false;
    for (unsigned i = 0; i < call.arg_size() && i < CULPRIT_REGION_ARGUMENT_COUNT; ++i)
      if (call.getArgOperand(i)->getType()->isPointerTy()) {
        any = true;
        builder.CreateStore(region_of(call.getArgOperand(i)),
                            slot(builder, CULPRIT_REGION_ARGUMENTS, i));
      }
    if (callee == nullptr || (any && is_open(*callee)))
      builder.CreateStore(builder.CreatePtrToInt(call.getCalledOperand(), wide_),
                          slot(builder, CULPRIT_REGION_CALLEE));
    // Who is called by pointer may be a library's, and hand nothing back.
    if (callee == nullptr && call.getType()->isPointerTy())
      builder.CreateStore(nobody(), slot(builder, CULPRIT_REGION_RESULT));
    call.removeFnAttr(llvm::Attribute::Memory);
  }

  llvm::Function &function_;
  Hooks &hooks_;
  llvm::Module &module_;
  llvm::Type *wide_;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> regions_;
};

void add_constructor(llvm::Module &module, Hooks &hooks) {
  llvm::LLVMContext &context = module.getContext();
  auto *constructor =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                             llvm::GlobalValue::InternalLinkage, "culprit.regions", module);
  constructor->addFnAttr(llvm::Attribute::NoUnwind);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", constructor));
  hooks.call(builder, Hooks::register_regions, {});
  builder.CreateRetVoid();
  llvm::appendToGlobalCtors(module, constructor, /*Priority=*/0);
}

} // namespace

void carry_regions(llvm::Module &module) {
  Hooks hooks(module);
  llvm::SmallVector<llvm::Function *> functions;
  for (llvm::Function &function : module)
    if (is_explained(function))
      functions.push_back(&function);
  for (llvm::Function *function : functions) {
    function->removeFnAttr(llvm::Attribute::Memory);
    Carrier(*function, hooks).rewrite();
  }
  add_constructor(module, hooks);
}

} // namespace culprit
