// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See data_stack.h.
#include "runtime/locate/data_stack.h"

#include "runtime/locate/shadow.h"
#include "runtime/locate/values.h"
#include "runtime/os/memory.h"
#include "runtime/os/stack.h"

namespace culprit::locate {
namespace {

constexpr size_t kReserved = size_t{2} << 30;
constexpr size_t kLongest = size_t{1} << 30;
constexpr size_t kShortest = size_t{1} << 20;
constexpr size_t kAboveFirst = size_t{64} << 10; // where arguments and environment would be

uintptr_t g_reserved;
uintptr_t g_low;

size_t length() {
  uint64_t limit = os::stack_size_limit() & ~(os::kOsPage - 1);
  return limit < kShortest ? kShortest : limit < kLongest ? limit : kLongest;
}

} // namespace

bool create_data_stack() {
  char *start = os::reserve(kDataStackTop - kReserved, kReserved);
  size_t usable = length();
  if (!start || !os::make_usable(start + kReserved - usable, usable))
    return false;
  g_reserved = reinterpret_cast<uintptr_t>(start);
  g_low = g_reserved + kReserved - usable;
  __culprit_data_stack = start + kReserved - kAboveFirst;
  return true;
}

bool is_below_data_stack(uintptr_t address) { return address >= g_reserved && address < g_low; }

} // namespace culprit::locate
