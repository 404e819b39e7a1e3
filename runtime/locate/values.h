// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The globals that instrumented code reads and writes (abi/locate.h).
#pragma once

#include "abi/locate.h"

extern "C" {
extern uint64_t __culprit_clock;
extern uint32_t __culprit_place;
extern uint64_t __culprit_leaves[CULPRIT_LEAVES];
extern uint64_t __culprit_argument_ids[CULPRIT_ARGUMENT_IDS];
extern void *__culprit_callee;
extern uint64_t __culprit_result_id;
extern uint64_t __culprit_allocation_id;
extern char *__culprit_data_stack;
extern const unsigned char __culprit_nothing[64];
}
