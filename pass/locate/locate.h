// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The locate flavours, trace and suppress: every value of the merged program gets an id
// (abi/locate.h), before anything is optimised. At link time the simplification that the modules
// were not given follows: what was inserted is optimised with the program.
//
// First the whole module is looked at, so that both flavours number alike, then each function is
// rewritten.
#pragma once

#include "llvm/IR/PassManager.h"

#include <functional>

namespace llvm {
class PassBuilder;
}

namespace culprit {

class LocatePass : public llvm::PassInfoMixin<LocatePass> {
public:
  // With a builder, its simplification pipeline runs on what is instrumented.
  explicit LocatePass(llvm::PassBuilder *builder = nullptr) : builder_(builder) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  llvm::PassBuilder *builder_;
};

} // namespace culprit
