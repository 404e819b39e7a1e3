// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library that comes without its source: it keeps the gains of measuring channels.
#pragma once

// Scales the gains of the first `count` channels to `percent`.
void scale_gains(int *gains, int count, int percent);
