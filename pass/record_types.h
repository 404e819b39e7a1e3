// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The struct or class that a site's block is used as (block_types.h), as the debug information has
// it. If only its name is known (from the accesses), there must be but one such type in the
// program.
#pragma once

#include "pass/sites.h"

#include "llvm/ADT/StringMap.h"

namespace culprit {

class RecordTypes {
public:
  explicit RecordTypes(const llvm::Module &module);

  // Null: not known, or no struct or class.
  const llvm::DIType *of(const Site &site) const;

  // By the name that the alias analysis has for it: of C++ the mangled one. Null: not known.
  const llvm::DIType *by_alias_name(llvm::StringRef name) const;

private:
  llvm::StringMap<const llvm::DIType *> by_name_; // null: several
  llvm::StringMap<const llvm::DIType *> by_identifier_;
};

} // namespace culprit
