// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Since which training run a name's access set has not grown: what a report says of how much
// training knew. Runs are taken in the order of ordered_keys().
#pragma once

#include "engine/access/history.h"

#include <cstddef>
#include <cstdint>

namespace culprit::access {

struct Settled {
  size_t runs = 0;  // that accessed the name
  size_t since = 0; // number of the last of them (from 1, in their order) that brought a site
};

// `name` is a key at this depth of the call chain; `read`: its readers, otherwise its writers.
Settled settled(const History &history, uint64_t name, bool read, size_t depth);

} // namespace culprit::access
