// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a captured module ready for whole-program work: what -O0 forbade is allowed again. For an
// instrumented flavour every function keeps its frame pointer (the runtime walks the stack by them)
// and the flavour's name is put into the module, for the passes at link time.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

#include <string>
#include <utility>

namespace culprit {

bool is_instrumented(llvm::StringRef flavour);

class PreparePass : public llvm::PassInfoMixin<PreparePass> {
public:
  PreparePass(std::string flavour, bool is_main)
      : flavour_(std::move(flavour)), is_main_(is_main) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  std::string flavour_;
  bool is_main_;
};

} // namespace culprit
