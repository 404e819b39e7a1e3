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
// Is it one of the flavours that are instrumented before anything is optimised (locate, explain)?
bool is_instrumented_first(llvm::StringRef flavour);

// The flavour the module was prepared for; empty: none.
std::string flavour_of(const llvm::Module &module);
// The same, taken out of the module: what is instrumented once stays so.
std::string take_flavour(llvm::Module &module);
// Was the module prepared to be (part of) the main unit of an executable?
bool take_main(llvm::Module &module);

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
