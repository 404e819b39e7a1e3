// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value of the variable by which the runtime gets its settings (abi/environment.h).
#pragma once

#include "engine/error.h"
#include "engine/launch/environment.h"

#include <filesystem>
#include <string>
#include <vector>

namespace culprit::launch {

// Always CULPRIT_RUNTIME_VALUE_LENGTH bytes. Unknown names, values that do not fit their type and
// values that the syntax cannot hold are Errors.
Result<std::string> encode_runtime_options(const Variables &options);

// The values of those options that name a path, empty ones left out.
std::vector<std::filesystem::path> runtime_option_paths(const Variables &options);

// The value of the option `run`; empty: none.
std::filesystem::path run_file_option(const Variables &options);

} // namespace culprit::launch
