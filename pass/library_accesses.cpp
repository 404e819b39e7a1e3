// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/library_accesses.h"

#include "abi/access.h"
#include "abi/features.h"
#include "pass/accesses.h"
#include "pass/hooks.h"
#include "pass/library_calls.h"
#include "pass/scan_format.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"

#include <optional>

namespace culprit {

namespace {

enum class How : uint8_t {
  bytes,
  items,
  returned,
  returned_items,
  text,
  text_if,
  appended,
  printed,
  limited,
  fixed,
};

struct Length {
  How how;
  unsigned first = 0;
  unsigned second = 0;
};

// The words of library_accesses.def.
constexpr Length bytes(unsigned n) { return {How::bytes, n}; }
constexpr Length items(unsigned n, unsigned m) { return {How::items, n, m}; }
constexpr Length returned() { return {How::returned}; }
constexpr Length returned_items(unsigned n) { return {How::returned_items, n}; }
constexpr Length text() { return {How::text}; }
constexpr Length text_if() { return {How::text_if}; }
constexpr Length appended() { return {How::appended}; }
constexpr Length printed() { return {How::printed}; }
constexpr Length limited(unsigned n) { return {How::limited, n}; }
constexpr Length fixed(unsigned n) { return {How::fixed, n}; }

struct LibraryAccess {
  unsigned address; // number of the argument
  Length length;
  bool is_read;
};

struct NamedAccess {
  llvm::StringLiteral function;
  LibraryAccess access;
};

constexpr NamedAccess kAccesses[] = {
#define WRITES(function, address, length) {#function, {address, length, false}},
#define READS(function, address, length) {#function, {address, length, true}},
#include "pass/library_accesses.def"
#undef WRITES
#undef READS
};

const llvm::SmallVector<LibraryAccess, 2> *find_accesses(llvm::StringRef name) {
  static const auto kByName = [] {
    llvm::StringMap<llvm::SmallVector<LibraryAccess, 2>> rows;
    for (const NamedAccess &each : kAccesses)
      rows[each.function].push_back(each.access);
    return rows;
  }();
  auto found = kByName.find(name);
  if (found == kByName.end())
    found = kByName.find(plain_library_name(name));
  return found != kByName.end() ? &found->second : nullptr;
}

// The number of the format's argument; the targets follow it.
std::optional<unsigned> scan_format_argument(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<unsigned>>(plain_library_name(name))
      .Case("scanf", 0)
      .Cases("fscanf", "sscanf", 1)
      .Default(std::nullopt);
}

bool fits(const LibraryAccess &access, const llvm::CallBase &call) {
  auto has = [&](unsigned n) { return n < call.arg_size(); };
  auto is_number = [&](unsigned n) {
    return has(n) && call.getArgOperand(n)->getType()->isIntegerTy();
  };
  if (!has(access.address) || !call.getArgOperand(access.address)->getType()->isPointerTy())
    return false;
  switch (access.length.how) {
  case How::bytes:
    return is_number(access.length.first);
  case How::items:
    return is_number(access.length.first) && is_number(access.length.second);
  case How::limited:
  case How::returned_items:
    return is_number(access.length.first) && call.getType()->isIntegerTy();
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

class Measure {
public:
  Measure(llvm::IRBuilder<> &builder, llvm::CallBase &call, llvm::Value *address,
          LibraryCalls &library)
      : builder_(builder), call_(call), address_(address), library_(library) {}

  llvm::Value *length(const Length &length) {
    switch (length.how) {
    case How::bytes:
      return argument(length.first);
    case How::items: {
      llvm::Value *several = builder_.CreateICmpUGT(argument(length.first), number(1));
      return builder_.CreateSelect(
          several, builder_.CreateMul(argument(length.first), argument(length.second)), number(0));
    }
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
  llvm::Value *argument(unsigned n) {
    return builder_.CreateZExtOrTrunc(call_.getArgOperand(n), builder_.getInt64Ty());
  }
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

void LibraryAccesses::tell(llvm::IRBuilder<> &builder, llvm::CallBase &call, llvm::Value *address,
                           llvm::Value *length, unsigned flags) {
  const llvm::StringRef name = plain_library_name(called_library_function(call)->getName());
  const unsigned row = unit_.sites().row(call, name, 0, flags, llvm::Align(1));
  const bool is_event = (features_ & CULPRIT_FEATURE_EVENTS) != 0;
  hooks_.call(builder, is_event ? Hooks::event : Hooks::access_range,
              {address, length, unit_.runtime_row(builder, row)});
}

void LibraryAccesses::insert(llvm::CallBase &call) {
  const llvm::Function *function = called_library_function(call);
  if (function == nullptr)
    return;
  const llvm::StringRef name = function->getName();
  if (const auto format = scan_format_argument(name))
    return insert_scan(call, *format, name);
  const auto *accesses = find_accesses(name);
  if (accesses == nullptr)
    return;
  const llvm::DataLayout &layout = call.getModule()->getDataLayout();
  for (const LibraryAccess &each : *accesses) {
    if (!fits(each, call) || (each.is_read && (features_ & CULPRIT_FEATURE_READS) == 0))
      continue;
    llvm::Value *address = call.getArgOperand(each.address);
    if (llvm::isa<llvm::ConstantPointerNull>(address))
      continue;
    unsigned flags = each.is_read ? CULPRIT_ROW_READ : 0;
    if (each.length.how == How::fixed &&
        is_direct({&call, &call, address, nullptr, nullptr, each.length.first, llvm::Align(1),
                   each.is_read},
                  layout)) {
      if (!keeps_all_)
        continue;
      flags |= CULPRIT_ROW_DIRECT;
    }
    if (each.length.how == How::appended) {
      llvm::IRBuilder<> before(&call);
      llvm::Value *old = library_.measure_text(before, address);
      address = before.CreatePtrAdd(address, before.CreateSub(old, before.getInt64(1)));
    }
    llvm::Instruction *place = place_after(call);
    if (place == nullptr)
      return; // a tail call that must stay one
    llvm::IRBuilder<> builder(place);
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    tell(builder, call, address, Measure(builder, call, address, library_).length(each.length),
         flags);
  }
}

// The result says how many targets were written, from the left.
void LibraryAccesses::insert_scan(llvm::CallBase &call, unsigned format, llvm::StringRef name) {
  llvm::StringRef text;
  if (format >= call.arg_size() || !call.getType()->isIntegerTy() ||
      !llvm::getConstantStringInfo(call.getArgOperand(format), text))
    return;
  (void)name;
  llvm::Instruction *place = place_after(call);
  if (place == nullptr)
    return;
  unsigned argument = format;
  int64_t number = 0; // of targets that count
  for (const ScanTarget &target : scan_targets(text)) {
    if (++argument >= call.arg_size())
      return;
    llvm::Value *address = call.getArgOperand(argument);
    if (target.counts)
      ++number;
    if (!address->getType()->isPointerTy())
      return;
    llvm::IRBuilder<> builder(place);
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    llvm::Value *written =
        builder.CreateICmpSGE(&call, llvm::ConstantInt::get(call.getType(), number));
    llvm::Value *length = builder.getInt64(target.size);
    if (target.size == 0) {
      llvm::Value *empty = builder.CreateGlobalString("", "culprit.empty");
      length = library_.measure_text(builder, builder.CreateSelect(written, address, empty));
    }
    tell(builder, call, address, builder.CreateSelect(written, length, builder.getInt64(0)), 0);
  }
}

} // namespace culprit
