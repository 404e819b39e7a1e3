// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of a shared object: a small ELF file with its name, its needs and its exported
// symbols, but no code. Enough to link against.
#pragma once

#include "engine/error.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace culprit::build {

// `path` names the shared object, `scratch` is the name of a temporary file. Fails for what is no
// shared object (a linker script, say).
Result<std::string> interface_stub(std::string_view shared_object,
                                   const std::filesystem::path &path,
                                   const std::filesystem::path &scratch);

} // namespace culprit::build
