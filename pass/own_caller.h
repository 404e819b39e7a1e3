// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose work code of library headers does (abi/library_files.h).
//
// std::copy(), std::string::copy() or the inline strcpy() of fortified headers write what their
// caller tells them to. Inlined, they have a caller: the innermost of the functions they were
// inlined into that is not a library's.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class DIFile;
class DILocation;
} // namespace llvm

namespace culprit {

struct OwnCaller {
  const llvm::DILocation *call = nullptr; // in the program's own code; null: there is none
  llvm::StringRef callee;                 // linkage name of the library function that it calls
};

class OwnCallers {
public:
  // Of code that is the program's own: none.
  OwnCaller of(const llvm::DILocation &location);

private:
  bool is_library(const llvm::DILocation &location);

  llvm::DenseMap<const llvm::DIFile *, bool> libraries_;
};

} // namespace culprit
