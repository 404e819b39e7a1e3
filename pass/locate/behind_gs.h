// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ids and stains are addressed by the gs register, whose base is the shadow's (abi/locate.h): the
// number would take an instruction of ten bytes where it is needed, or one of the registers for as
// long as a loop runs.
//
// Rules: runs behind all that knows cells and stains by their addresses (id_reads.h, stains.h), on
// functions of locate's section.
// Where the address itself is used (a crash asks for the id that stands there) it stays as it is.
#pragma once

#include "llvm/IR/PassManager.h"

namespace culprit {

class BehindGsPass : public llvm::PassInfoMixin<BehindGsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace culprit
