// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Taking differences over from one run to the other (the paper's Algorithm 1), as a patch that a
// stopped run applies to itself (abi/explain.h). Bytes are copied; a pointer is set to the region
// that has the same index here, which is allocated and copied first, with all it points to, if the
// run does not have it.
//
// Composable: whatever set is taken over, the differences left are exactly the others.
#pragma once

#include "engine/explain/difference.h"
#include "engine/explain/snapshot.h"

#include <span>
#include <string>

namespace culprit::explain {

// Can it be taken over? Not if it leads to memory that only `source` has and that is none of the
// program's own: a buffer of the C library's, code, a constant of another build.
bool is_replaceable(const Difference &difference, const Snapshot &target, const Snapshot &source);

// All of them must be replaceable.
std::string make_patch(std::span<const Difference> differences, const Snapshot &target,
                       const Snapshot &source);

} // namespace culprit::explain
