// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the flavour watches, as the executable says: culprit_feature bits. Flavours older than
// access sets do not define it.
#pragma once

#include "abi/features.h"

extern "C" __attribute__((weak, visibility("default"))) const unsigned char __culprit_features;
