// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hooks of abi/hooks.def that are not allocation functions. Instrumented code calls them; the
// sparing ones save every general register, since they stand in hot code and are called rarely.
#include "runtime/heap/object.h"
#include "runtime/monitor/allocation.h"
#include "runtime/monitor/barrier.h"
#include "runtime/monitor/blame.h"
#include "runtime/monitor/point.h"
#include "runtime/monitor/state.h"
#include "runtime/monitor/units.h"

using namespace culprit;

#define CULPRIT_HOOK extern "C" __attribute__((visibility("default")))
#define CULPRIT_SPARING __attribute__((preserve_all))

CULPRIT_HOOK CULPRIT_SPARING void __culprit_card_dirty(const void *address) {
  auto at = reinterpret_cast<uintptr_t>(address);
  if (at - heap::g_arena.base < heap::g_arena.size) [[likely]]
    monitor::dirty_after_store(at);
  else
    __atomic_store_n(monitor::card_of(at), CULPRIT_CARD_DIRTY, __ATOMIC_RELAXED);
}

CULPRIT_HOOK void __culprit_wrote(const void *address, uint64_t size) {
  monitor::dirty_range(reinterpret_cast<uintptr_t>(address), size);
}

CULPRIT_HOOK void __culprit_native_wrote(const void *address) {
  heap::Object object = heap::find_object(address);
  if (object.live)
    monitor::dirty_range(object.start, object.size);
}

CULPRIT_HOOK void __culprit_native_keeps(const void *address) {
  monitor::keep_native(heap::find_object(address));
}

CULPRIT_HOOK CULPRIT_SPARING void __culprit_work_done() {
  monitor::work_done(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
}

CULPRIT_HOOK void __culprit_register_unit(culprit_unit *unit) {
  monitor::ensure();
  monitor::register_unit(unit);
}

CULPRIT_HOOK void __culprit_blame_before(const void *address, uint64_t size, uint32_t site) {
  monitor::blame_before(reinterpret_cast<uintptr_t>(address), size, site);
}

CULPRIT_HOOK void __culprit_blame_after(const void *address, uint64_t size, uint32_t site) {
  monitor::blame_after(reinterpret_cast<uintptr_t>(address), size, site);
}

CULPRIT_HOOK void __culprit_blame_freeing(const void *block, uint32_t site) {
  monitor::blame_freeing(reinterpret_cast<uintptr_t>(block), site);
}

CULPRIT_HOOK void __culprit_blame_free(const void *address, uint32_t site) {
  monitor::blame_free(reinterpret_cast<uintptr_t>(address), site);
}
