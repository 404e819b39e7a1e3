// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In libculprit_unmodified.so alone: what flavours say of themselves in the executable, said for an
// executable that was not made by us.
#include "abi/features.h"

extern "C" {
extern const char __culprit_is_monitor;
extern const char __culprit_is_unmodified;
extern const unsigned char __culprit_features;
const char __culprit_is_monitor = 1;
const char __culprit_is_unmodified = 1;
const unsigned char __culprit_features = CULPRIT_FEATURE_HEAP;
}
