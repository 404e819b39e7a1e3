// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hooks of abi/hooks.def for the explain and index flavours.
#include "runtime/explain/carried_regions.h"
#include "runtime/explain/flavour.h"
#include "runtime/explain/frames.h"
#include "runtime/explain/indexing.h"
#include "runtime/explain/points.h"
#include "runtime/explain/sized_locals.h"

using namespace culprit;

#define CULPRIT_HOOK extern "C" __attribute__((visibility("default")))

CULPRIT_HOOK void __culprit_register_explain(const culprit_explain_unit *unit) {
  explain::begin(*unit);
}

CULPRIT_HOOK void __culprit_register_index(const culprit_index_unit *unit) {
  explain::begin_indexing(*unit);
}

CULPRIT_HOOK void __culprit_register_regions() { explain::begin_regions(); }

CULPRIT_HOOK void __culprit_regions_copied(void *to, const void *from, uint64_t size) {
  explain::copy_regions(reinterpret_cast<uintptr_t>(to), reinterpret_cast<uintptr_t>(from), size);
}

CULPRIT_HOOK void __culprit_regions_cleared(void *start, uint64_t size) {
  explain::clear_regions(reinterpret_cast<uintptr_t>(start), size);
}

// For whoever asks, a debugger or a test: the index of the block around an address (lazy
// semantics); where the region starts that the pointer in a variable was made for (online).
CULPRIT_HOOK uint64_t __culprit_index_of(const void *address) {
  return explain::index_of(reinterpret_cast<uintptr_t>(address));
}

// With the option `tree`: the parts of that index, from the outside in; returns how many there are.
CULPRIT_HOOK uint64_t __culprit_index_path(const void *address, uint64_t *parts, uint64_t most) {
  return explain::index_path(reinterpret_cast<uintptr_t>(address), parts, most);
}

CULPRIT_HOOK uint64_t __culprit_region_of(const void *variable) {
  return explain::region_carried(reinterpret_cast<uintptr_t>(variable));
}

CULPRIT_HOOK void __culprit_explain_enter(culprit_frame *frame,
                                          const culprit_explained_function *function) {
  explain::enter(*frame, *function);
}

CULPRIT_HOOK void __culprit_explain_leave(const culprit_frame *frame) {
  explain::t_frame = frame->caller;
  if (explain::g_sized_locals) [[unlikely]]
    explain::leave_sized(*frame);
}

CULPRIT_HOOK void __culprit_explain_again(culprit_frame *frame) {
  explain::t_frame = frame;
  explain::come_back_sized(*frame);
}

CULPRIT_HOOK void __culprit_explain_sized(culprit_frame *frame, void *address, uint64_t size,
                                          uint32_t site, uint32_t name) {
  explain::note_sized(*frame, address, size, site, name);
}

CULPRIT_HOOK void __culprit_explain_restored(culprit_frame *frame, const void *address) {
  explain::restore_sized(*frame, reinterpret_cast<uintptr_t>(address));
}

CULPRIT_HOOK void __culprit_explain_point(culprit_frame *frame, uint32_t site) {
  explain::reach(*frame, site);
}

CULPRIT_HOOK void __culprit_explain_read(const void *address, uint64_t size) {
  explain::access(CULPRIT_TRACE_READ, reinterpret_cast<uintptr_t>(address), size);
}

CULPRIT_HOOK void __culprit_explain_own(void *block) { explain::owned(block); }

CULPRIT_HOOK uint32_t __culprit_explain_decide(const culprit_frame *frame, uint32_t site,
                                               uint32_t taken) {
  return explain::decide(*frame, site, taken);
}

CULPRIT_HOOK uint64_t __culprit_explain_choose(const culprit_frame *frame, uint32_t site,
                                               uint64_t value, const uint64_t *ways,
                                               uint32_t count) {
  return explain::choose(*frame, site, value, ways, count);
}

CULPRIT_HOOK void __culprit_explain_write(const void *address, uint64_t size) {
  explain::access(size & CULPRIT_KEEPS ? CULPRIT_TRACE_KEEP : CULPRIT_TRACE_WRITE,
                  reinterpret_cast<uintptr_t>(address), size & ~CULPRIT_KEEPS);
}
