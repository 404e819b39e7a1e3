// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happens at every point and access: it is traced, and the run stops where it shall.
#pragma once

#include "abi/explain.h"

#include <stdint.h>

namespace culprit::explain {

// The last point a run came to. In memory that a test's parent sees.
struct LastPoint {
  uint32_t site;
};
extern LastPoint *g_last;

void reach(culprit_frame &frame, uint32_t site);
// How a branch at this site is decided, which the program would decide so.
uint32_t decide(const culprit_frame &frame, uint32_t site, uint32_t taken);
// The same of a switch, which can go by any of these values.
uint64_t choose(const culprit_frame &frame, uint32_t site, uint64_t value, const uint64_t *ways,
                uint32_t count);
void access(culprit_trace_kind kind, uintptr_t address, uint64_t size);

// Variables of variable length (sized_locals.h), of the thread that is looked at.
void note_sized(culprit_frame &frame, void *address, uint64_t size, uint32_t site, uint32_t name);
void restore_sized(const culprit_frame &frame, uintptr_t address);
void come_back_sized(const culprit_frame &frame);
void leave_sized(const culprit_frame &frame);

// A test writes a trace of its own, if that is asked for.
void trace_test();
// In the child of a fork, and in tests.
void forget_trace();

} // namespace culprit::explain
