// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs that do not end. Only a time limit can say so, and it is the user's: a run that takes longer
// is looked at as far as that shows where it goes round, and a test fails as it does if it, too,
// has to be ended, at one of those statements.
#pragma once

#include "engine/error.h"
#include "engine/explain/tables.h"
#include "engine/explain/target.h"
#include "engine/explain/trace.h"
#include "engine/launch/launch.h"

#include <cstdint>
#include <vector>

namespace culprit::explain {

// How many events of it are looked at, if the run that it is compared with has this many.
size_t events_of_endless(size_t of_other);

// Does it take longer than its request allows? Executed without a trace, which would slow it down.
Result<bool> is_endless(const Run &run);

// Ids of the statements that a run which was cut off kept coming to, sorted: those of its last
// fifth, so that what led there does not count.
std::vector<uint64_t> statements_at_end(const Trace &trace, const Tables &tables);

} // namespace culprit::explain
