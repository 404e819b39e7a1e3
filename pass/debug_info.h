// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes out the debug information that `culprit cc` added for the capture when the user asked for
// none, so that the plain executable equals clang's byte for byte.
#pragma once

#include "llvm/IR/PassManager.h"

namespace culprit {

class StripDebugPass : public llvm::PassInfoMixin<StripDebugPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace culprit
