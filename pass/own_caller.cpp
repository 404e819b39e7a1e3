// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/own_caller.h"

#include "abi/library_files.h"
#include "pass/source_place.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/Path.h"

namespace culprit {

bool OwnCallers::is_library(const llvm::DILocation &location) {
  const auto [known, is_new] = libraries_.try_emplace(location.getFile(), false);
  if (is_new) {
    llvm::SmallString<256> path(file_of(location));
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    known->second = culprit_is_library_file(path.c_str()) != 0;
  }
  return known->second;
}

OwnCaller OwnCallers::of(const llvm::DILocation &location) {
  const llvm::DILocation *inside = &location;
  while (inside != nullptr && is_library(*inside)) {
    const llvm::DILocation *call = inside->getInlinedAt();
    if (call != nullptr && call->getLine() != 0 && !is_library(*call))
      return {call, function_at(*inside)};
    inside = call;
  }
  return {nullptr, ""};
}

} // namespace culprit
