// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Telling pairs and names: the run file's records `access` and `name`. A name is told when it is
// first needed.
#pragma once

#include "runtime/access/families.h"

namespace culprit::access {

bool create_records();

// An access of `row` met `name` for the first time in this period: `length` of its bytes have it,
// the first at `address`. `frame`: of the hook the target called.
void append_access(uint32_t row, Name name, uintptr_t address, uint64_t length, uintptr_t frame);

void tell_name(Name name);
void forget_told_names(); // in the child of a fork

uint64_t accesses_told();

} // namespace culprit::access
