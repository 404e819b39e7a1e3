// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `culprit info` tells of a run file.
#pragma once

#include "engine/run/run_file.h"

#include <string>

namespace culprit::report {

std::string to_text(const run::RunFile &file, const std::string &path);
std::string to_json(const run::RunFile &file, const std::string &path);

} // namespace culprit::report
