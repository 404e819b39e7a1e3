// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/explain/library_writes.h"

#include "pass/hooks.h"
#include "pass/library_calls.h"
#include "pass/library_table.h"

namespace culprit {

void tell_library_writes(llvm::CallBase &call, LibraryCalls &library, Hooks &hooks) {
  if (called_library_function(call) == nullptr)
    return;
  const auto tell = [&](llvm::Value *address, const auto &length) {
    llvm::Instruction *place = place_after(call);
    if (place == nullptr)
      return; // a tail call that must stay one
    llvm::IRBuilder<> builder(place);
    hooks.call(builder, Hooks::explain_write, {address, length(builder)});
  };
  if (is_scan(call)) {
    for (const ScannedArgument &each : scanned_arguments(call))
      tell(call.getArgOperand(each.argument), [&](llvm::IRBuilder<> &builder) {
        return scanned_length(builder, call, each, library);
      });
    return;
  }
  for (const LibraryAccess &each : library_accesses(call)) {
    if (each.use != LibraryAccess::Use::writes)
      continue;
    llvm::IRBuilder<> before(&call);
    llvm::Value *start = start_before(before, call, each, library);
    tell(start, [&](llvm::IRBuilder<> &builder) {
      return length_after(builder, call, start, each.length, library);
    });
  }
}

} // namespace culprit
