// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the merged program an index flavour (abi/indexing.h).
#pragma once

namespace llvm {
class Module;
}

namespace culprit {

// `whole`: with every function and cycle instrumented, needed or not.
void instrument_indexing(llvm::Module &module, bool whole);

} // namespace culprit
