// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Applies a patch (abi/explain.h) to this process: the runtime does what each row says and judges
// nothing. The file may not be there, or be damaged: then nothing more is applied.
#pragma once

#include <stddef.h>

namespace culprit::explain {

bool apply_patch(const char *path);
// The same, of bytes in memory.
bool apply_patch(const char *bytes, size_t size);

} // namespace culprit::explain
