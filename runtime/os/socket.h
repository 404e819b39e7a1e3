// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One question over a unix socket: send it, read the answer, hang up.
#pragma once

#include <stddef.h>

namespace culprit::os {

// Sends `request` to the socket at `path` and reads an answer framed as in abi/object_service.h
// into `answer`. The answer's length; 0 if nobody answers within two minutes or the answer is
// empty, too long or cut.
size_t ask(const char *path, const char *request, size_t size, char *answer, size_t answer_max);

} // namespace culprit::os
