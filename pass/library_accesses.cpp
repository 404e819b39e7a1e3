// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/library_accesses.h"

#include "abi/access.h"
#include "abi/features.h"
#include "pass/accesses.h"
#include "pass/hooks.h"
#include "pass/library_calls.h"
#include "pass/library_table.h"

#include "llvm/IR/Module.h"

namespace culprit {

void LibraryAccesses::tell(llvm::IRBuilder<> &builder, llvm::CallBase &call, llvm::Value *address,
                           llvm::Value *length, unsigned flags) {
  const llvm::StringRef name = plain_library_name(called_library_function(call)->getName());
  const unsigned row = unit_.sites().row(call, name, 0, flags, llvm::Align(1));
  const bool is_event = (features_ & CULPRIT_FEATURE_EVENTS) != 0;
  hooks_.call(builder, is_event ? Hooks::event : Hooks::access_range,
              {address, length, unit_.runtime_row(builder, row)});
}

void LibraryAccesses::insert(llvm::CallBase &call) {
  if (is_scan(call))
    return insert_scan(call);
  const llvm::DataLayout &layout = call.getModule()->getDataLayout();
  for (const LibraryAccess &each : library_accesses(call)) {
    const bool is_read = each.use == LibraryAccess::Use::reads;
    if (each.use == LibraryAccess::Use::may_read ||
        (is_read && (features_ & CULPRIT_FEATURE_READS) == 0))
      continue;
    llvm::Value *address = call.getArgOperand(each.address);
    unsigned flags = is_read ? CULPRIT_ROW_READ : 0;
    if (each.length.how == LibraryLength::How::fixed &&
        is_direct(
            {&call, &call, address, nullptr, nullptr, each.length.first, llvm::Align(1), is_read},
            layout)) {
      if (!keeps_all_)
        continue;
      flags |= CULPRIT_ROW_DIRECT;
    }
    llvm::IRBuilder<> before(&call);
    llvm::Value *start = start_before(before, call, each, library_);
    llvm::Instruction *place = place_after(call);
    if (place == nullptr)
      return; // a tail call that must stay one
    llvm::IRBuilder<> builder(place);
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    tell(builder, call, start, length_after(builder, call, start, each.length, library_), flags);
  }
}

void LibraryAccesses::insert_scan(llvm::CallBase &call) {
  llvm::Instruction *place = nullptr;
  for (const ScannedArgument &each : scanned_arguments(call)) {
    if (place == nullptr)
      place = place_after(call);
    if (place == nullptr)
      return;
    llvm::IRBuilder<> builder(place);
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    tell(builder, call, call.getArgOperand(each.argument),
         scanned_length(builder, call, each, library_), 0);
  }
}

} // namespace culprit
