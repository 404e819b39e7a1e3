// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/other_callee.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace culprit {

llvm::Function &other_function(llvm::Function &function, llvm::FunctionType &type,
                               const llvm::AttributeList &attributes) {
  auto *other = llvm::Function::Create(&type, function.getLinkage(), function.getAddressSpace());
  other->copyAttributesFrom(&function);
  other->setAttributes(attributes);
  other->setComdat(function.getComdat());
  function.getParent()->getFunctionList().insert(function.getIterator(), other);
  other->takeName(&function);
  other->splice(other->begin(), &function);
  other->copyMetadata(&function, 0);
  function.clearMetadata();
  return *other;
}

llvm::CallBase &call_other(llvm::CallBase &call, llvm::Function &callee,
                           llvm::ArrayRef<llvm::Value *> arguments,
                           const llvm::AttributeList &attributes) {
  llvm::IRBuilder<> builder(&call);
  llvm::SmallVector<llvm::OperandBundleDef, 1> bundles;
  call.getOperandBundlesAsDefs(bundles);
  llvm::CallBase *other = nullptr;
  if (auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) {
    other = builder.CreateInvoke(&callee, invoke->getNormalDest(), invoke->getUnwindDest(),
                                 arguments, bundles);
  } else {
    auto *plain = builder.CreateCall(&callee, arguments, bundles);
    plain->setTailCallKind(llvm::cast<llvm::CallInst>(call).getTailCallKind());
    other = plain;
  }
  other->setCallingConv(call.getCallingConv());
  other->setAttributes(attributes);
  other->copyMetadata(call);
  other->setDebugLoc(call.getDebugLoc());
  return *other;
}

} // namespace culprit
