// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The drop-in tools: compiler drivers and archiver. Each
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

// Becomes the program argv[0]; returns an exit code only if that fails.
int become(const std::vector<std::string> &argv);

} // namespace culprit::cli
