// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The explain flavour (abi/explain.h): points before statements, counters of cycles, every variable
// in a frame that the runtime knows, every access told; on the merged program, before anything is
// optimised. At link time the simplification that the modules were not given follows.
// The index flavours (abi/indexing.h) are made at the same place.
#pragma once

#include "llvm/IR/PassManager.h"

namespace llvm {
class PassBuilder;
}

namespace culprit {

class ExplainPass : public llvm::PassInfoMixin<ExplainPass> {
public:
  // With a builder, its simplification pipeline runs on what is instrumented.
  explicit ExplainPass(llvm::PassBuilder *builder = nullptr) : builder_(builder) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  llvm::PassBuilder *builder_;
};

} // namespace culprit
