// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `culprit info` for a run file: who wrote it, how many records of each kind it holds, and where it
// is torn.
#pragma once

#include <string>

namespace culprit::cli {

bool is_run_file(const std::string &path); // by its first bytes

// `json` as the option of that name: empty, a file, or `-`. Returns the exit code.
int info_run_file(const std::string &path, const std::string &json);

} // namespace culprit::cli
