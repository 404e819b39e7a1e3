// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which pages of a range were written since somebody last asked: what the kernel knows of code that
// tells us nothing.
//
//   scanned: PAGEMAP_SCAN with asynchronous write protection (Linux 6.7): one call finds the
//   written
//     pages and protects them again, in one step for each page, so that a write that comes between
//     is found by the next call. The kernel resolves the fault itself. Needs no privilege.
//   soft_dirty: the soft-dirty bits of /proc/self/pagemap, cleared by /proc/self/clear_refs, for
//     kernels built with them. Reading and clearing are two steps: see take_written().
//   unknown: the kernel or a container has or allows neither; every page may have been written.
//
// The range must not move. A child of fork, or a target that closed our descriptor, has lost the
// protection: that is found out at the next call, which then begins anew.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace culprit::os {

enum class WrittenBy : uint8_t { unknown, scanned, soft_dirty };

// `wish`: 0 the best there is, 1 soft-dirty bits at most, 2 none.
WrittenBy watch_writes(uintptr_t start, size_t bytes, uint64_t wish);

// Stretches of whole pages.
struct WrittenPages {
  uintptr_t start;
  uintptr_t end;
};

// Is called with each; `data` is the caller's.
using WrittenVisitor = void (*)(WrittenPages pages, void *data);

// False: it is not known, and every page of the ranges may have been written.
bool take_written(const WrittenPages *ranges, size_t count, WrittenVisitor visit, void *data);

} // namespace culprit::os
