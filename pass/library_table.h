// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions of the C library do with their caller's memory, by name (library_accesses.def)
// and, for the scanf and printf families, by a constant format.
//
// Lengths are given as code. Most are known after the call only (what was read, how long a text
// became): those, and how far a text was that is appended to, are what length_after and
// start_before are for; length_before gives what a call may read, as far as that is known.
#pragma once

#include "pass/print_format.h"
#include "pass/scan_format.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"

#include <optional>

namespace culprit {

class LibraryCalls;

struct LibraryLength {
  enum class How : uint8_t {
    bytes,
    items,
    all_items,
    returned,
    returned_items,
    text,
    text_up_to,
    text_if,
    appended,
    printed,
    limited,
    fixed,
  };
  How how;
  unsigned first = 0;
  unsigned second = 0;
};

struct LibraryAccess {
  enum class Use : uint8_t {
    writes,   // exactly
    reads,    // exactly
    may_read, // at most
  };
  unsigned address; // number of the argument
  LibraryLength length;
  Use use;
  bool starts = false; // of what may be read, the first byte is, if the length is not 0
};

// Those that the call's arguments and result fit.
llvm::SmallVector<LibraryAccess, 2> library_accesses(const llvm::CallBase &call);

struct LibraryCopy {
  unsigned to; // numbers of arguments
  unsigned from;
  unsigned length;
};
std::optional<LibraryCopy> library_copy(const llvm::CallBase &call);

// The argument that the result is, or points into, if it is not null.
std::optional<unsigned> returned_argument(const llvm::CallBase &call);

// What a scanf writes: the result says how many targets that count were written, from the left.
struct ScannedArgument {
  unsigned argument;
  ScanTarget target;
  unsigned number; // it is written if the result is not less
};
bool is_scan(const llvm::CallBase &call);
llvm::SmallVector<ScannedArgument> scanned_arguments(const llvm::CallBase &call);

// What a printf reads and writes behind its arguments.
struct PrintedArgument {
  unsigned argument;
  PrintTarget target;
};
llvm::SmallVector<PrintedArgument> printed_arguments(const llvm::CallBase &call);
// The number of the format, of printing and scanning functions, also those that take a va_list.
std::optional<unsigned> format_argument(const llvm::CallBase &call);

// Where the range starts; the builder is before the call.
llvm::Value *start_before(llvm::IRBuilder<> &builder, const llvm::CallBase &call,
                          const LibraryAccess &access, LibraryCalls &library);
// How long it is; the builder is after the call.
llvm::Value *length_after(llvm::IRBuilder<> &builder, llvm::CallBase &call, llvm::Value *start,
                          const LibraryLength &length, LibraryCalls &library);
llvm::Value *scanned_length(llvm::IRBuilder<> &builder, llvm::CallBase &call,
                            const ScannedArgument &scanned, LibraryCalls &library);
// Before the call: as many bytes, for lengths that do not depend on the memory. nullptr: it does,
// or nobody knows yet.
llvm::Value *length_before(llvm::IRBuilder<> &builder, const llvm::CallBase &call,
                           const LibraryLength &length);

} // namespace culprit
