// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hooks of abi/hooks.def for access sets, and what include/culprit/watch.h calls. A shared
// object's flavour may call them in an executable of another kind: then nothing is done.
#include "runtime/access/check.h"
#include "runtime/access/events.h"
#include "runtime/access/joining.h"
#include "runtime/access/locals.h"
#include "runtime/access/state.h"
#include "runtime/access/switch.h"
#include "runtime/access/units.h"
#include "runtime/access/watches.h"
#include "runtime/monitor/point.h"

using namespace culprit;

#define CULPRIT_HOOK extern "C" __attribute__((visibility("default")))
#define CULPRIT_SPARING __attribute__((preserve_all))

namespace {
uintptr_t number_of(const void *address) { return reinterpret_cast<uintptr_t>(address); }
} // namespace

#define CULPRIT_FRAME reinterpret_cast<uintptr_t>(__builtin_frame_address(0))

CULPRIT_HOOK CULPRIT_SPARING void __culprit_access(const void *address, uint32_t row) {
  access::check(number_of(address), row, CULPRIT_FRAME);
}

CULPRIT_HOOK CULPRIT_SPARING void __culprit_join(const void *address, const culprit_joined_set *set,
                                                 uint32_t first_row) {
  access::join(number_of(address), *set, first_row);
}

CULPRIT_HOOK void __culprit_access_range(const void *address, uint64_t size, uint32_t row) {
  access::check_range(number_of(address), size, row, CULPRIT_FRAME);
}

CULPRIT_HOOK CULPRIT_SPARING void __culprit_event(const void *address, uint64_t size,
                                                  uint32_t row) {
  access::append_event(number_of(address), size, row);
}

CULPRIT_HOOK void __culprit_local_on(const void *address, culprit_variable *variable) {
  access::local_on(number_of(address), variable->size, *variable);
}

CULPRIT_HOOK void __culprit_local_sized_on(const void *address, uint64_t size,
                                           culprit_variable *variable) {
  access::local_on(number_of(address), size, *variable);
}

CULPRIT_HOOK void __culprit_local_off(const void *address, uint64_t size) {
  access::local_off(number_of(address), size);
}

CULPRIT_HOOK CULPRIT_SPARING void
__culprit_local_owns(const void *address, culprit_variable *variable, culprit_variable *gap) {
  access::local_owns(number_of(address), *variable, gap);
}

CULPRIT_HOOK CULPRIT_SPARING void __culprit_local_owned(const void *address, uint64_t size) {
  access::local_off(number_of(address), size);
}

CULPRIT_HOOK void __culprit_unwound(const void *address) { access::unwound(number_of(address)); }

CULPRIT_HOOK void __culprit_register_access(culprit_access_unit *unit) {
  monitor::ensure();
  if (access::is_on())
    access::register_unit(unit);
}

CULPRIT_HOOK int __culprit_watch_on(const void *address, size_t length, unsigned flags,
                                    culprit_watcher *function, void *data) {
  return access::is_on() && access::watch_on(number_of(address), length, flags, function, data);
}

CULPRIT_HOOK int __culprit_watch_off(const void *address, size_t length, unsigned flags,
                                     culprit_watcher *function) {
  return access::is_on() && access::watch_off(number_of(address), length, flags, function);
}

CULPRIT_HOOK void __culprit_enable() {
  if (access::is_on())
    access::switch_on();
}

CULPRIT_HOOK void __culprit_disable() {
  if (access::is_on())
    access::switch_off();
}

CULPRIT_HOOK void __culprit_metric_point() {
  if (monitor::g_on)
    monitor::make_point();
}
