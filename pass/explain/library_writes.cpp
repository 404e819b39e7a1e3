// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/explain/library_writes.h"

#include "pass/hooks.h"
#include "pass/library_calls.h"
#include "pass/library_table.h"

#include "llvm/ADT/StringSwitch.h"

#include <optional>

namespace culprit {

namespace {

// Of functions that allocate what they are asked for themselves: the number of the argument that
// points to where they put the block's address, -1 for the result; nothing: no such function.
std::optional<int> allocates_at(llvm::StringRef function) {
  return llvm::StringSwitch<std::optional<int>>(function)
      .Cases("getline", "getdelim", "__getdelim", "asprintf", "vasprintf", 0)
      .Cases("realpath", "getcwd", "get_current_dir_name", "canonicalize_file_name", -1)
      .Default(std::nullopt);
}

void tell_block(llvm::CallBase &call, llvm::StringRef function, Hooks &hooks) {
  const auto at = allocates_at(function);
  llvm::Instruction *place = at ? place_after(call) : nullptr;
  if (place == nullptr || (*at >= 0 && call.arg_size() <= static_cast<unsigned>(*at)) ||
      (*at < 0 && !call.getType()->isPointerTy()))
    return;
  llvm::IRBuilder<> builder(place);
  llvm::Value *block = *at < 0 ? static_cast<llvm::Value *>(&call)
                               : builder.CreateLoad(builder.getPtrTy(),
                                                    call.getArgOperand(static_cast<unsigned>(*at)));
  hooks.call(builder, Hooks::explain_own, {block});
}

} // namespace

void tell_library_writes(llvm::CallBase &call, LibraryCalls &library, Hooks &hooks) {
  const llvm::Function *function = called_library_function(call);
  if (function == nullptr)
    return;
  tell_block(call, plain_library_name(function->getName()), hooks);
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
