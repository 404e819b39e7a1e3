// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where an outlier happened: the call stack of each access finding, in words of the source. Nothing
// is executed again for it; the runtime kept the stack when it met the pair.
//
// Rules: the site is the innermost frame, whatever the return addresses say of it (the check may
// stand on another line than the access it is for, and code of the runtime may lie above it); what
// calls main, and the insides of libraries, are left out.
#pragma once

#include "engine/access/judge.h"
#include "engine/heap/blame.h"
#include "engine/symbolize/symbolize.h"

#include <functional>
#include <span>
#include <vector>

namespace culprit::monitor {

using Frames = std::vector<heap::Place>; // innermost first

// Of each finding's lead, in their order.
std::vector<Frames> access_stacks(std::span<const access::Finding> findings,
                                  const access::AccessRun &run, symbolize::Symbolizer &symbolizer);

// Of notes: where one of them is library code, whose own place is no answer; else none.
std::vector<Frames> note_stacks(std::span<const access::Finding> notes,
                                const access::AccessRun &run,
                                const std::function<symbolize::Symbolizer()> &symbolizer);

// `symbolized`: the places of the return addresses, innermost first.
Frames frames_from(const access::AccessSite &site, std::span<const symbolize::Place> symbolized);

} // namespace culprit::monitor
