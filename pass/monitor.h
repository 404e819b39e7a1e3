// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The monitor and blame flavours: everything that is inserted into a unit (abi/monitor.h), on what
// the optimiser leaves of it. First all functions are looked at, so that sites can be numbered,
// then each is changed.
//
// Blame is monitor with calls around each write: function entries, cards and contexts are the same,
// so the metric points fall at the same places.
#pragma once

#include "llvm/IR/PassManager.h"

namespace culprit {

class MonitorPass : public llvm::PassInfoMixin<MonitorPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace culprit
