// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The drop-in tools: compiler drivers, archiver, and the shim between clang and the linker. Each
// becomes the tool it stands for (exec) where nothing is left to do afterwards, so exit codes and
// signals are the tool's.
#pragma once

#include <string>
#include <vector>

namespace culprit::cli {

int compile_c(const std::vector<std::string> &arguments);
int compile_cxx(const std::vector<std::string> &arguments);
int archive(const std::vector<std::string> &arguments);
int index_archive(const std::vector<std::string> &arguments);
int link_shim(const std::vector<std::string> &arguments);

} // namespace culprit::cli
