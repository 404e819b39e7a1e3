// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shim between clang and the linker, under the name `culprit-ld`.
#pragma once

#include <string>
#include <vector>

namespace culprit::cli {

int link_shim(const std::vector<std::string> &arguments);

} // namespace culprit::cli
