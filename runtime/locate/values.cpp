// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See values.h.
#include "runtime/locate/values.h"

#include <stddef.h>

#define CULPRIT_VALUE __attribute__((visibility("default")))

extern "C" {
// The linker's; a shared object has none. NOLINTBEGIN(readability-identifier-naming)
[[gnu::weak]] extern const char __executable_start;
[[gnu::weak]] extern const char etext;
[[gnu::weak, gnu::visibility("hidden")]] extern uint64_t __start_culprit_returned[];
[[gnu::weak, gnu::visibility("hidden")]] extern uint64_t __stop_culprit_returned[];
// NOLINTEND(readability-identifier-naming)
CULPRIT_VALUE extern const void *const __culprit_code[2] = {&__executable_start, &etext};
CULPRIT_VALUE uint64_t __culprit_clock;
CULPRIT_VALUE uint32_t __culprit_place;
CULPRIT_VALUE uint64_t __culprit_leaves[CULPRIT_LEAVES];
CULPRIT_VALUE uint32_t __culprit_armed;
CULPRIT_VALUE const void *__culprit_stored_at;
CULPRIT_VALUE const void *__culprit_stored_through;
CULPRIT_VALUE const void *__culprit_pointers[CULPRIT_LEAVES];
CULPRIT_VALUE uint64_t __culprit_argument_ids[CULPRIT_ARGUMENT_IDS];
CULPRIT_VALUE void *__culprit_callee;
CULPRIT_VALUE uint64_t __culprit_result_id;
CULPRIT_VALUE uint64_t __culprit_allocation_id;
CULPRIT_VALUE char *__culprit_data_stack;
CULPRIT_VALUE int32_t __culprit_spins = CULPRIT_SPINS;
alignas(64) CULPRIT_VALUE extern const unsigned char __culprit_nothing[64] = {};
}

namespace culprit::locate {
namespace {

size_t returned_bytes() {
  auto bytes = static_cast<size_t>(reinterpret_cast<char *>(__stop_culprit_returned) -
                                   reinterpret_cast<char *>(__start_culprit_returned));
  return bytes < CULPRIT_RETURNED_BYTES ? bytes : CULPRIT_RETURNED_BYTES;
}

} // namespace

void save(ReturnedIds &returned) {
  __builtin_memcpy(returned.ids, __start_culprit_returned, returned_bytes());
}

void restore(const ReturnedIds &returned) {
  __builtin_memcpy(__start_culprit_returned, returned.ids, returned_bytes());
}

void save(Values &values) {
  __builtin_memcpy(values.leaves, __culprit_leaves, sizeof values.leaves);
  for (size_t i = 0; i < CULPRIT_LEAVES; ++i)
    values.pointers[i] = __culprit_pointers[i];
  __builtin_memcpy(values.argument_ids, __culprit_argument_ids, sizeof values.argument_ids);
  values.stored_at = __culprit_stored_at;
  values.stored_through = __culprit_stored_through;
  values.callee = __culprit_callee;
  values.result_id = __culprit_result_id;
  values.allocation_id = __culprit_allocation_id;
  values.data_stack = __culprit_data_stack;
  values.place = __culprit_place;
}

void restore(const Values &values) {
  __builtin_memcpy(__culprit_leaves, values.leaves, sizeof values.leaves);
  for (size_t i = 0; i < CULPRIT_LEAVES; ++i)
    __culprit_pointers[i] = values.pointers[i];
  __builtin_memcpy(__culprit_argument_ids, values.argument_ids, sizeof values.argument_ids);
  __culprit_stored_at = values.stored_at;
  __culprit_stored_through = values.stored_through;
  __culprit_callee = values.callee;
  __culprit_result_id = values.result_id;
  __culprit_allocation_id = values.allocation_id;
  __culprit_data_stack = values.data_stack;
  __culprit_place = values.place;
}

} // namespace culprit::locate
