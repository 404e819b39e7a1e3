// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/library_table.h"

#include "pass/hooks.h"
#include "pass/library_calls.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"

namespace culprit {

namespace {

using How = LibraryLength::How;
using Use = LibraryAccess::Use;

// The words of library_accesses.def.
constexpr LibraryLength bytes(unsigned n) { return {How::bytes, n}; }
constexpr LibraryLength items(unsigned n, unsigned m) { return {How::items, n, m}; }
constexpr LibraryLength all_items(unsigned n, unsigned m) { return {How::all_items, n, m}; }
constexpr LibraryLength returned() { return {How::returned}; }
constexpr LibraryLength returned_items(unsigned n) { return {How::returned_items, n}; }
constexpr LibraryLength text() { return {How::text}; }
constexpr LibraryLength text_up_to(unsigned n) { return {How::text_up_to, n}; }
constexpr LibraryLength text_if() { return {How::text_if}; }
constexpr LibraryLength appended() { return {How::appended}; }
constexpr LibraryLength printed() { return {How::printed}; }
constexpr LibraryLength limited(unsigned n) { return {How::limited, n}; }
constexpr LibraryLength fixed(unsigned n) { return {How::fixed, n}; }

struct LibraryRow {
  llvm::SmallVector<LibraryAccess, 2> accesses;
  std::optional<LibraryCopy> copy;
  std::optional<unsigned> returned; // argument
  std::optional<unsigned> format;   // argument
  bool scans = false;
  bool prints = false;
};

using LibraryRows = llvm::StringMap<LibraryRow>;

LibraryRows make_rows() {
  LibraryRows rows;
#define WRITES(function, address, length)                                                          \
  rows[#function].accesses.push_back({address, length, Use::writes});
#define READS(function, address, length)                                                           \
  rows[#function].accesses.push_back({address, length, Use::reads});
#define MAY_READ(function, address, length)                                                        \
  rows[#function].accesses.push_back({address, length, Use::may_read});
#define STARTS_TO_READ(function, address, length)                                                  \
  rows[#function].accesses.push_back({address, length, Use::may_read, true});
#define COPIES(function, to, from, length) rows[#function].copy = LibraryCopy{to, from, length};
#define RETURNS(function, argument) rows[#function].returned = (argument);
#define FORMAT(function, argument) rows[#function].format = (argument);
#define SCANS(function, argument)                                                                  \
  rows[#function].format = (argument);                                                             \
  rows[#function].scans = true;
#define PRINTS(function, argument)                                                                 \
  rows[#function].format = (argument);                                                             \
  rows[#function].prints = true;
#include "pass/library_accesses.def"
#undef WRITES
#undef READS
#undef MAY_READ
#undef STARTS_TO_READ
#undef COPIES
#undef RETURNS
#undef FORMAT
#undef SCANS
#undef PRINTS
  return rows;
}

const LibraryRow *find_row(const llvm::CallBase &call) {
  static const LibraryRows kRows = make_rows();
  const llvm::Function *function = called_library_function(call);
  if (function == nullptr)
    return nullptr;
  auto found = kRows.find(function->getName());
  if (found == kRows.end())
    found = kRows.find(plain_library_name(function->getName()));
  return found != kRows.end() ? &found->second : nullptr;
}

bool is_pointer(const llvm::CallBase &call, unsigned n) {
  return n < call.arg_size() && call.getArgOperand(n)->getType()->isPointerTy();
}

bool is_number(const llvm::CallBase &call, unsigned n) {
  return n < call.arg_size() && call.getArgOperand(n)->getType()->isIntegerTy();
}

bool fits(const LibraryAccess &access, const llvm::CallBase &call) {
  if (!is_pointer(call, access.address))
    return false;
  switch (access.length.how) {
  case How::bytes:
  case How::text_up_to:
    return is_number(call, access.length.first);
  case How::items:
  case How::all_items:
    return is_number(call, access.length.first) && is_number(call, access.length.second);
  case How::limited:
  case How::returned_items:
    return is_number(call, access.length.first) && call.getType()->isIntegerTy();
  case How::returned:
  case How::printed:
    return call.getType()->isIntegerTy();
  case How::text_if:
    return call.getType()->isPointerTy();
  case How::text:
  case How::appended:
  case How::fixed:
    return true;
  }
  return false;
}

std::optional<llvm::StringRef> constant_format(const llvm::CallBase &call, const LibraryRow &row) {
  llvm::StringRef text;
  if (!row.format || !is_pointer(call, *row.format) ||
      !llvm::getConstantStringInfo(call.getArgOperand(*row.format), text))
    return std::nullopt;
  return text;
}

llvm::Value *argument_as_length(llvm::IRBuilder<> &builder, const llvm::CallBase &call,
                                unsigned n) {
  return builder.CreateZExtOrTrunc(call.getArgOperand(n), builder.getInt64Ty());
}

class Measure {
public:
  Measure(llvm::IRBuilder<> &builder, llvm::CallBase &call, llvm::Value *address,
          LibraryCalls &library)
      : builder_(builder), call_(call), address_(address), library_(library) {}

  llvm::Value *length(const LibraryLength &length) {
    switch (length.how) {
    case How::bytes:
    case How::text_up_to:
      return argument(length.first);
    case How::items: {
      llvm::Value *several = builder_.CreateICmpUGT(argument(length.first), number(1));
      return builder_.CreateSelect(
          several, builder_.CreateMul(argument(length.first), argument(length.second)), number(0));
    }
    case How::all_items:
      return builder_.CreateMul(argument(length.first), argument(length.second));
    case How::returned:
      return not_negative(result());
    case How::returned_items:
      return builder_.CreateMul(not_negative(result()), argument(length.first));
    case How::text:
    case How::appended:
      return library_.measure_text(builder_, address_);
    case How::text_if: {
      // An empty text stands in for one that was not written.
      llvm::Value *none = builder_.CreateIsNull(&call_);
      llvm::Value *empty = builder_.CreateGlobalString("", "culprit.empty");
      llvm::Value *measured =
          library_.measure_text(builder_, builder_.CreateSelect(none, empty, address_));
      return builder_.CreateSelect(none, number(0), measured);
    }
    case How::printed:
      return not_negative(builder_.CreateAdd(result(), number(1)));
    case How::limited:
      return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin,
                                            not_negative(builder_.CreateAdd(result(), number(1))),
                                            argument(length.first));
    case How::fixed:
      return builder_.CreateSelect(builder_.CreateIsNull(address_), number(0),
                                   number(length.first));
    }
    return number(0);
  }

private:
  llvm::Value *number(uint64_t value) { return builder_.getInt64(value); }
  llvm::Value *argument(unsigned n) { return argument_as_length(builder_, call_, n); }
  llvm::Value *result() { return builder_.CreateSExtOrTrunc(&call_, builder_.getInt64Ty()); }
  llvm::Value *not_negative(llvm::Value *value) {
    return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, value, number(0));
  }

  llvm::IRBuilder<> &builder_;
  llvm::CallBase &call_;
  llvm::Value *address_;
  LibraryCalls &library_;
};

} // namespace

llvm::SmallVector<LibraryAccess, 2> library_accesses(const llvm::CallBase &call) {
  llvm::SmallVector<LibraryAccess, 2> found;
  if (const LibraryRow *row = find_row(call))
    for (const LibraryAccess &each : row->accesses)
      if (fits(each, call) &&
          !llvm::isa<llvm::ConstantPointerNull>(call.getArgOperand(each.address)))
        found.push_back(each);
  return found;
}

std::optional<LibraryCopy> library_copy(const llvm::CallBase &call) {
  const LibraryRow *row = find_row(call);
  if (row == nullptr || !row->copy || !is_pointer(call, row->copy->to) ||
      !is_pointer(call, row->copy->from) || !is_number(call, row->copy->length))
    return std::nullopt;
  return row->copy;
}

std::optional<unsigned> returned_argument(const llvm::CallBase &call) {
  const LibraryRow *row = find_row(call);
  if (row == nullptr || !row->returned || !is_pointer(call, *row->returned) ||
      !call.getType()->isPointerTy() ||
      llvm::isa<llvm::ConstantPointerNull>(call.getArgOperand(*row->returned)))
    return std::nullopt;
  return row->returned;
}

bool is_scan(const llvm::CallBase &call) {
  const LibraryRow *row = find_row(call);
  return row != nullptr && row->scans;
}

llvm::SmallVector<ScannedArgument> scanned_arguments(const llvm::CallBase &call) {
  llvm::SmallVector<ScannedArgument> found;
  const LibraryRow *row = find_row(call);
  if (row == nullptr || !row->scans || !call.getType()->isIntegerTy())
    return found;
  const auto format = constant_format(call, *row);
  if (!format)
    return found;
  unsigned argument = *row->format;
  unsigned number = 0; // of targets that count
  for (const ScanTarget &target : scan_targets(*format)) {
    if (target.counts)
      ++number;
    if (!is_pointer(call, ++argument))
      break;
    found.push_back({argument, target, number});
  }
  return found;
}

llvm::SmallVector<PrintedArgument> printed_arguments(const llvm::CallBase &call) {
  llvm::SmallVector<PrintedArgument> found;
  const LibraryRow *row = find_row(call);
  if (row == nullptr || !row->prints)
    return found;
  const auto format = constant_format(call, *row);
  if (!format)
    return found;
  unsigned argument = *row->format;
  for (const PrintTarget &target : print_targets(*format)) {
    if (++argument >= call.arg_size())
      break;
    if (target.use == PrintTarget::Use::value)
      continue;
    if (!is_pointer(call, argument))
      break;
    found.push_back({argument, target});
  }
  return found;
}

std::optional<unsigned> format_argument(const llvm::CallBase &call) {
  const LibraryRow *row = find_row(call);
  return row != nullptr && row->format && is_pointer(call, *row->format) ? row->format
                                                                         : std::nullopt;
}

llvm::Value *start_before(llvm::IRBuilder<> &builder, const llvm::CallBase &call,
                          const LibraryAccess &access, LibraryCalls &library) {
  llvm::Value *address = call.getArgOperand(access.address);
  if (access.length.how != How::appended)
    return address;
  llvm::Value *old = library.measure_text(builder, address);
  return builder.CreatePtrAdd(address, builder.CreateSub(old, builder.getInt64(1)));
}

llvm::Value *length_after(llvm::IRBuilder<> &builder, llvm::CallBase &call, llvm::Value *start,
                          const LibraryLength &length, LibraryCalls &library) {
  return Measure(builder, call, start, library).length(length);
}

llvm::Value *scanned_length(llvm::IRBuilder<> &builder, llvm::CallBase &call,
                            const ScannedArgument &scanned, LibraryCalls &library) {
  llvm::Value *written =
      builder.CreateICmpSGE(&call, llvm::ConstantInt::get(call.getType(), scanned.number));
  llvm::Value *length = builder.getInt64(scanned.target.size);
  if (scanned.target.size == 0) {
    llvm::Value *empty = builder.CreateGlobalString("", "culprit.empty");
    length = library.measure_text(
        builder, builder.CreateSelect(written, call.getArgOperand(scanned.argument), empty));
  }
  return builder.CreateSelect(written, length, builder.getInt64(0));
}

llvm::Value *length_before(llvm::IRBuilder<> &builder, const llvm::CallBase &call,
                           const LibraryLength &length) {
  switch (length.how) {
  case How::bytes:
    return argument_as_length(builder, call, length.first);
  case How::items:
  case How::all_items:
    return builder.CreateMul(argument_as_length(builder, call, length.first),
                             argument_as_length(builder, call, length.second));
  case How::fixed:
    return builder.getInt64(length.first);
  default:
    return nullptr;
  }
}

} // namespace culprit
