// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/value_alignment.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

namespace culprit {

namespace {

void state_for(llvm::CallBase &call, const llvm::DataLayout &layout) {
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    llvm::Type *type = call.getParamByValType(i);
    const llvm::MaybeAlign copied = call.getParamAlign(i);
    if (type == nullptr || !copied)
      continue;
    // The copy may be aligned better than its source has to be.
    const llvm::Align source = std::min(*copied, layout.getABITypeAlign(type));
    llvm::Value *address = call.getArgOperand(i);
    if (llvm::getKnownAlignment(address, layout, &call) < source)
      llvm::IRBuilder<>(&call).CreateAlignmentAssumption(layout, address,
                                                         static_cast<unsigned>(source.value()));
  }
}

} // namespace

void state_value_alignments(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
          state_for(*call, module.getDataLayout());
}

} // namespace culprit
