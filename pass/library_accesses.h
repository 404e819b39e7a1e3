// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What library functions write and read for their caller (pass/library_table.h): told to the
// runtime after the call, when the length is known, as an access of the caller's site.
//
// Known limits: what scanf writes under a format that is not a constant; what is written before a
// call that does not return here.
#pragma once

#include "pass/access_unit.h"

#include "llvm/IR/InstrTypes.h"

namespace culprit {

class Hooks;
class LibraryCalls;

class LibraryAccesses {
public:
  LibraryAccesses(unsigned features, bool keeps_all, AccessUnit &unit, LibraryCalls &library,
                  Hooks &hooks)
      : features_(features), keeps_all_(keeps_all), unit_(unit), library_(library), hooks_(hooks) {}

  void insert(llvm::CallBase &call);

private:
  void tell(llvm::IRBuilder<> &builder, llvm::CallBase &call, llvm::Value *address,
            llvm::Value *length, unsigned flags);
  void insert_scan(llvm::CallBase &call);

  unsigned features_; // culprit_feature
  bool keeps_all_;    // direct ones too
  AccessUnit &unit_;
  LibraryCalls &library_;
  Hooks &hooks_;
};

} // namespace culprit
