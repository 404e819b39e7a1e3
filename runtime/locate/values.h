// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The globals that instrumented code reads and writes (abi/locate.h).
#pragma once

#include "abi/locate.h"

extern "C" {
extern const void *const __culprit_code[2];
extern uint64_t __culprit_clock;
extern uint32_t __culprit_place;
extern uint64_t __culprit_leaves[CULPRIT_LEAVES];
extern uint32_t __culprit_armed;
extern const void *__culprit_stored_at;
extern const void *__culprit_stored_through;
extern const void *__culprit_pointers[CULPRIT_LEAVES];
extern uint64_t __culprit_argument_ids[CULPRIT_ARGUMENT_IDS];
extern void *__culprit_callee;
extern uint64_t __culprit_result_id;
extern uint64_t __culprit_allocation_id;
extern char *__culprit_data_stack;
extern int32_t __culprit_spins;
extern const unsigned char __culprit_nothing[64];
}

namespace culprit::locate {

// Everything but the clock, which goes on, and the countdown of loops that spin.
struct Values {
  uint64_t leaves[CULPRIT_LEAVES];
  const void *stored_at;
  const void *stored_through;
  const void *pointers[CULPRIT_LEAVES];
  uint64_t argument_ids[CULPRIT_ARGUMENT_IDS];
  void *callee;
  uint64_t result_id;
  uint64_t allocation_id;
  char *data_stack;
  uint32_t place;
};

void save(Values &values);
void restore(const Values &values);

// Ids that were just returned: they need no thought where one thread gives way to another, which is
// in a call.
struct ReturnedIds {
  uint64_t ids[CULPRIT_RETURNED_BYTES / sizeof(uint64_t)];
};

void save(ReturnedIds &returned);
void restore(const ReturnedIds &returned);

} // namespace culprit::locate
