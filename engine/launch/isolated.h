// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a piece of work in a forked child and brings its result back. For LLVM's readers of bitcode,
// archives and objects: they are written for what a compiler wrote, and a damaged file can make
// them crash or abort. Then the child dies, and the caller has an Error like any other. See
// docs/decisions/0005-isolated-readers.md.
//
// Rules for the work: what it changes in memory is lost, files it writes stay; it starts no
// process.
#pragma once

#include "engine/error.h"

#include <functional>
#include <string>

namespace culprit::launch {

Result<std::string> isolated(const std::function<Result<std::string>()> &work);

} // namespace culprit::launch
