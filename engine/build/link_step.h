// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The link step of `culprit cc`, run by the shim between clang and the linker: objects without
// bitcode are swapped for self-carrying copies, the link record is added, then the linker runs as
// clang wanted it.
//
// Rule: a build never fails because of us. What cannot be carried is linked as it is, and the
// record says so.
#pragma once

#include "engine/error.h"
#include "engine/launch/status.h"

#include <string>
#include <vector>

namespace culprit::build {

// `arguments` without argv[0]. Returns how the linker ended: by itself, or by a signal.
Result<launch::Status> link_and_record(const std::string &linker,
                                       const std::vector<std::string> &arguments);

} // namespace culprit::build
