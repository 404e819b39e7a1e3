// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hooks of abi/hooks.def for the locate flavours.
#include "runtime/locate/astray.h"
#include "runtime/locate/brought.h"
#include "runtime/locate/crash.h"
#include "runtime/locate/guards.h"
#include "runtime/locate/ids.h"
#include "runtime/locate/layout.h"
#include "runtime/locate/lent.h"
#include "runtime/locate/sort.h"
#include "runtime/locate/stains.h"
#include "runtime/locate/state.h"
#include "runtime/locate/targets.h"
#include "runtime/locate/threads/scheduler.h"
#include "runtime/locate/trespasses.h"
#include "runtime/locate/unwritten.h"
#include "runtime/locate/values.h"
#include "runtime/start/options.h"

using namespace culprit;

#define CULPRIT_HOOK extern "C" __attribute__((visibility("default")))
#define CULPRIT_SPARING __attribute__((preserve_all))

namespace {
uintptr_t number_of(const void *address) { return reinterpret_cast<uintptr_t>(address); }
} // namespace

CULPRIT_HOOK CULPRIT_SPARING uint64_t __culprit_fired(uint64_t id) { return locate::fired(id); }

CULPRIT_HOOK void __culprit_define(const void *address, uint64_t size, uint64_t id) {
  if (locate::is_corrupt(id)) {
    if (locate::keeps_what_was_there(id))
      return;
    locate::note_astray(number_of(address), size, id);
    if (size < sizeof(void *) && locate::covers_watched(number_of(address), size))
      locate::note_brought(number_of(address), size);
  }
  locate::define(number_of(address), size, id);
}

CULPRIT_HOOK CULPRIT_SPARING void __culprit_trespassed(const void *address, uint64_t id) {
  locate::note_trespass(number_of(address), id);
}

CULPRIT_HOOK void __culprit_left_out(const void *address, uint64_t size, uint64_t id,
                                     uint64_t member) {
  locate::note_astray(number_of(address), size, id, member);
}

CULPRIT_HOOK CULPRIT_SPARING void __culprit_stain(const void *address, uint64_t size) {
  locate::stain(number_of(address), size);
}

CULPRIT_HOOK void __culprit_copy_ids(const void *to, const void *from, uint64_t size, uint64_t id) {
  if (locate::covers_watched(number_of(to), size)) [[unlikely]]
    locate::note_brought(number_of(to), size);
  locate::copy_ids(number_of(to), number_of(from), size, id);
}

CULPRIT_HOOK void __culprit_sort_with(void *elements, uint64_t count, uint64_t size,
                                      locate::Compare compare, void *context) {
  uint64_t id = __culprit_allocation_id;
  __culprit_allocation_id = 0;
  locate::sort(elements, count, size, compare, context, id);
}

// Who compares for qsort is given a third argument, and does not look at it.
CULPRIT_HOOK void __culprit_sort(void *elements, uint64_t count, uint64_t size,
                                 locate::Compare compare) {
  __culprit_sort_with(elements, count, size, compare, nullptr);
}

CULPRIT_HOOK uint64_t __culprit_id_of(const void *address, uint64_t size) {
  if (size)
    locate::expect_not_freed(number_of(address));
  return locate::id_of(number_of(address), size);
}

CULPRIT_HOOK uint64_t __culprit_id_of_text(const char *text) {
  locate::expect_not_freed(number_of(text));
  return locate::id_of_text(text);
}

CULPRIT_HOOK uint64_t __culprit_unwritten_id(const void *address, uint64_t size, uint64_t id) {
  locate::expect_not_freed(number_of(address));
  return locate::unless_written(id, number_of(address), size);
}

CULPRIT_HOOK void __culprit_handed_out(const void *code, const void *address, uint64_t size) {
  bool is_own = code >= __culprit_code[0] && code < __culprit_code[1];
  if (!is_own)
    locate::hand_out(number_of(address), size);
}

CULPRIT_HOOK uint64_t __culprit_lend(const void *address, uint64_t size, void *copy) {
  return locate::lend(number_of(address), size, copy);
}

CULPRIT_HOOK void __culprit_take_back(const void *address, uint64_t size, const void *copy,
                                      uint64_t id) {
  locate::take_back(number_of(address), size, copy, id);
}

CULPRIT_HOOK void __culprit_keep_back(const void *address, uint64_t size, uint64_t id) {
  locate::keep_back(number_of(address), size, id);
}

CULPRIT_HOOK void __culprit_smashed(uint64_t *sentinel, uint64_t expected) {
  locate::Damage damage = locate::check_sentinel(sentinel, expected);
  if (damage.address)
    locate::stop_with_crash(CULPRIT_CRASH_SMASHED, number_of(sentinel), damage.written,
                            "*** stack smashing detected ***: terminated\n");
}

CULPRIT_HOOK CULPRIT_SPARING void __culprit_spun() {
  __culprit_spins = CULPRIT_SPINS;
  locate::threads::yield();
}

CULPRIT_HOOK void __culprit_register_locate(const culprit_locate_unit *unit) {
  if (locate::ensure())
    locate::register_unit(*unit);
}

CULPRIT_HOOK void __culprit_register_layout(const culprit_layout_unit *unit) {
  if (locate::ensure())
    locate::register_layout(*unit, start::options().layout.text, start::options().entered.text);
}

CULPRIT_HOOK void __culprit_enter_frame(const void *frame, uint64_t function) {
  locate::enter_frame(number_of(frame), function);
}

CULPRIT_HOOK void __culprit_leave_frame(const void *frame, uint64_t function) {
  locate::leave_frame(number_of(frame), function);
}
