// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// qsort and qsort_r for code we see: the elements take their ids along. To libc's, a moved element
// would be what the call has written, and while it sorts the ids would not be moved at all: who
// compares would be blamed on another element's definition.
//
// The elements are compared in the order in which glibc 2.36 compares them, at the addresses where
// it has them (those above 32 bytes stay where they are until all is known): a comparison that
// looks beside its element, or is none, ends as it does there. glibc sorts otherwise what is more
// than a quarter of the machine's memory; this does not.
//
// Rules: the comparison is the target's code. It may throw or jump out of the sort: what was
// borrowed for a large one is lost then, and nothing else.
#pragma once

#include "runtime/locate/shadow.h"

namespace culprit::locate {

using Compare = int (*)(const void *, const void *, void *context);

// `id`: of the call, for cells that elements share and for what is behind the object sorted.
void sort(void *elements, size_t count, size_t size, Compare compare, void *context, Id id);

} // namespace culprit::locate
