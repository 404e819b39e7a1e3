// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts a frame (abi/frame.h) into a module, as a private constant in CULPRIT_FRAME_SECTION.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace llvm {
class Module;
}

namespace culprit {

void embed_frame(llvm::Module &module, llvm::StringRef frame);

// The tables of a unit (abi/sites.h), as a frame that names it.
void embed_sites(llvm::Module &module, uint64_t unit, llvm::StringRef tables);

} // namespace culprit
