// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One metric point, from its record: for who takes points one by one as they are written. A whole
// run is read by heap_run() (series.h).
#pragma once

#include "engine/heap/series.h"

namespace culprit::heap {

Point point_of(const culprit_record_point &raw);

} // namespace culprit::heap
