// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where an overrun can begin.
#pragma once

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DerivedTypes.h"

namespace culprit {

// An array, or a struct with one inside.
inline bool has_array(const llvm::Type &type) {
  if (type.isArrayTy())
    return type.getArrayNumElements() > 0;
  return llvm::any_of(type.subtypes(), [](const llvm::Type *part) { return has_array(*part); });
}

} // namespace culprit
