// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Searches of the same case with memory holding something else (the runtime's option `contents`),
// behind the search of the case itself: what they show is taken for the answer only if they prove
// more than that one did.
#pragma once

#include "engine/locate/arrangement.h"
#include "engine/locate/search.h"

namespace culprit::locate {

// What was found by another search of the same case is what was located.
void take_over(Located &located, Located found);

// What executions in this arrangement are asked for.
launch::Request with_contents_of(const Arrangement &order, launch::Request request);
// None: there is none of this name.
Arrangement contents_named(std::string_view layout);

// A read of a freed block may have led to the crash by what was chosen after it, which no id tells:
// a text that is not found any more. Nobody may read there, and if without the free there is no
// such read and no crash either, the free is what was located.
Result<void> look_at_freed_reads(const Target &target, const launch::Request &request,
                                 const SearchOptions &options, Search &search);

// Where nothing crashes: with a stack of local variables that does not begin as zeros. Only a
// variable that nobody has written is an answer. What else comes of such a one is the same error,
// at a place that is not its own.
Result<void> look_at_unwritten_locals(const Target &target, const launch::Request &request,
                                      const SearchOptions &options, Search &search);

} // namespace culprit::locate
