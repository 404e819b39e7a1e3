// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See locals.h.
#include "runtime/access/locals.h"

#include "runtime/access/variables.h"
#include "runtime/os/stack.h"

namespace culprit::access {
namespace {

// The tags of a local variable where nothing else has a name: what most calls of its function find.
// Kept for the first variable that comes to a place of the table, for good.
struct Picture {
  static constexpr size_t kGranules = 28;
  uint64_t of; // its number, where in its first granule it begins, how many there are; 0: nobody's
  Tag tags[kGranules];
};
constexpr size_t kPictures = size_t{1} << 10;
constexpr uint64_t kBeingDrawn = ~uint64_t{0};
alignas(64) Picture g_pictures[kPictures];

struct LocalPlace {
  Tag *tags;
  size_t granules;
  unsigned start;   // in the first granule
  bool shares_tail; // does not end where a granule ends

  LocalPlace(uintptr_t address, uint64_t size)
      : tags(tags_of(address)), granules(((address + size + kInGranule) >> CULPRIT_GRANULE_SHIFT) -
                                         (address >> CULPRIT_GRANULE_SHIFT)),
        start(static_cast<unsigned>(address & kInGranule)),
        shares_tail((address + size) & kInGranule) {}
  uint64_t key(uint32_t number) const { return uint64_t{number} << 32 | start << 8 | granules; }
  // Whole granules are the variable's, whatever was there.
  bool is_alone() const {
    return (!start || __atomic_load_n(tags, __ATOMIC_RELAXED) == kUnwatched) &&
           (!shares_tail || __atomic_load_n(tags + granules - 1, __ATOMIC_RELAXED) == kUnwatched);
  }
};

void draw(Picture &picture, const LocalPlace &place, uint64_t key) {
  uint64_t nobody = 0;
  for (size_t i = 0; i < place.granules; ++i)
    if (__atomic_load_n(place.tags + i, __ATOMIC_RELAXED) == kExact)
      return;
  if (!__atomic_compare_exchange_n(&picture.of, &nobody, kBeingDrawn, false, __ATOMIC_ACQUIRE,
                                   __ATOMIC_RELAXED))
    return;
  for (size_t i = 0; i < place.granules; ++i)
    picture.tags[i] = __atomic_load_n(place.tags + i, __ATOMIC_RELAXED);
  __atomic_store_n(&picture.of, key, __ATOMIC_RELEASE);
}

// Of the variable's own size.
void put_local(uintptr_t address, uint64_t size, uint32_t number) {
  LocalPlace place(address, size);
  if (place.granules > Picture::kGranules || !tags_are_free() || !place.is_alone()) {
    name_variable(address, size, number, true);
    return;
  }
  Picture &picture = g_pictures[number % kPictures];
  uint64_t key = place.key(number);
  uint64_t of = __atomic_load_n(&picture.of, __ATOMIC_ACQUIRE);
  if (of == key) [[likely]] {
    copy_tags(place.tags, picture.tags, place.granules);
    return;
  }
  name_variable(address, size, number, true);
  if (!of)
    draw(picture, place, key);
}

// What a thread knows of its stack.
struct StackNames {
  os::StackLimits limits;
  uintptr_t lowest; // of a local; 0: none yet
};
__thread StackNames g_stack __attribute__((tls_model("initial-exec")));

[[gnu::noinline]] void begin_stack(uintptr_t address) {
  g_stack.limits = os::find_stack(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
  g_stack.lowest = g_stack.limits.high;
  if (address >= g_stack.limits.low && address < g_stack.lowest)
    g_stack.lowest = address;
}

} // namespace

void local_on(uintptr_t address, uint64_t size, culprit_variable &variable) {
  auto number = static_cast<uint32_t>(__atomic_load_n(&variable.first, __ATOMIC_ACQUIRE));
  if (!number) [[unlikely]]
    number = family_of_variable(variable, CULPRIT_NAME_LOCAL);
  if (!number || !size) [[unlikely]]
    return;
  StackNames &stack = g_stack;
  if (address - stack.lowest >= stack.limits.high - stack.lowest) [[unlikely]] {
    if (!stack.lowest)
      begin_stack(address);
    else if (address >= stack.limits.low && address < stack.lowest)
      stack.lowest = address;
  }
  if (variable.size == size) [[likely]]
    put_local(address, size, number);
  else
    name_variable(address, size, number, false);
}

void local_off(uintptr_t address, uint64_t size) { remove_names(address, size); }

void unwound(uintptr_t address) {
  StackNames &stack = g_stack;
  if (!stack.lowest || address <= stack.lowest || address > stack.limits.high)
    return;
  remove_names(stack.lowest, address - stack.lowest);
  stack.lowest = address;
}

void thread_ends() {
  StackNames &stack = g_stack;
  if (stack.lowest && stack.lowest < stack.limits.high)
    remove_names(stack.lowest, stack.limits.high - stack.lowest);
  stack = {};
}

} // namespace culprit::access
