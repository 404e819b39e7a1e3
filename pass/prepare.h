// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a captured module ready for whole-program work: what -O0 forbade is allowed again.
#pragma once

#include "llvm/IR/PassManager.h"

namespace culprit {

class PreparePass : public llvm::PassInfoMixin<PreparePass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace culprit
