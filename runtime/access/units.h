// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Access units (abi/access.h): each gets its rows when its constructor registers it, and its
// globals their names. What is needed of a unit later (layouts, what a row stands for) is copied:
// an object may be unloaded. One that is loaded again gets the rows it had.
#pragma once

#include "runtime/access/families.h"

namespace culprit::access {

bool create_units();
void register_unit(culprit_access_unit *unit);
void append_units_again(); // in the child of a fork

struct SiteLayout {
  const Layout *layout; // null: none
  uint32_t number;      // position in the unit's table + 1
  uint64_t unit;
};
// Of a site number as contexts hold it. Under the naming lock, as the next.
SiteLayout layout_of_site(uint32_t site);
const Layout *layout_of_unit(const culprit_access_unit &unit, uint32_t number);

} // namespace culprit::access
