// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts a frame (abi/frame.h) into a module, as a private constant in CULPRIT_FRAME_SECTION.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
}

namespace culprit {

void embed_frame(llvm::Module &module, llvm::StringRef frame);

} // namespace culprit
