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
constexpr size_t kFilled = kShortest / 2;
constexpr size_t kAboveFirst = size_t{64} << 10; // where arguments and environment would be

// Slots: [signal stack | nothing | data stack].
constexpr size_t kSlot = size_t{1} << 30;
constexpr size_t kSlotLongest = kSlot / 2;
constexpr size_t kSignalStack = size_t{256} << 10;

uintptr_t g_reserved;
uintptr_t g_low;
uintptr_t g_slots;                      // 0: none yet
uint32_t g_slot_pages[kDataStackSlots]; // usable, at a slot's end

size_t within(uint64_t wanted, size_t longest) {
  uint64_t whole = wanted & ~(os::kOsPage - 1);
  return whole < kShortest ? kShortest : whole < longest ? whole : longest;
}

size_t length() { return within(os::stack_size_limit(), kLongest); }

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

void fill_data_stack(unsigned char pattern) {
  __builtin_memset(__culprit_data_stack - kFilled, pattern, kFilled);
}

DataStackSlot data_stack_slot(size_t slot, size_t length) {
  if (!g_slots)
    g_slots =
        reinterpret_cast<uintptr_t>(os::reserve(kDataStackTop + kSlot, kSlot * kDataStackSlots));
  if (!g_slots || slot >= kDataStackSlots)
    return {};
  size_t usable = within(length ? length : os::stack_size_limit(), kSlotLongest);
  auto *start = reinterpret_cast<char *>(g_slots + slot * kSlot);
  auto pages = static_cast<uint32_t>(usable / os::kOsPage);
  if (pages > g_slot_pages[slot]) {
    if (!os::make_usable(start, kSignalStack) || !os::make_usable(start + kSlot - usable, usable))
      return {};
    g_slot_pages[slot] = pages;
  }
  return {start + kSlot - kAboveFirst, start, kSignalStack};
}

bool is_below_data_stack(uintptr_t address) {
  if (address >= g_reserved && address < g_low)
    return true;
  if (!g_slots || address < g_slots || address >= g_slots + kSlot * kDataStackSlots)
    return false;
  size_t slot = (address - g_slots) / kSlot;
  return (address - g_slots) % kSlot < kSlot - g_slot_pages[slot] * os::kOsPage;
}

} // namespace culprit::locate
