// SPDX-License-Identifier: GPL-2.0-or-later
// The program's allocation functions, in the place of whoever has them: the core's allocator, and
// names for what it hands out.
#pragma once

namespace culprit::deep {

void replace_allocation();

} // namespace culprit::deep
