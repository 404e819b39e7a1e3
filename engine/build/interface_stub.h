// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of a shared object: a small ELF file with its name, its needs and its exported
// symbols, but no code. Enough to link against.
#pragma once

#include "engine/error.h"

#include <filesystem>
#include <string>

namespace culprit::build {

// Uses `scratch` as a temporary file name. Fails for what is no shared object (a linker script,
// say).
Result<std::string> interface_stub(const std::filesystem::path &shared_object,
                                   const std::filesystem::path &scratch);

} // namespace culprit::build
