// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects without bitcode (assembler files, foreign compilers) are swapped at link time for a copy
// that carries itself in a frame. Which members of an archive are linked, and in which order, is
// then read off the linked program like everything else.
#pragma once

#include "engine/error.h"

#include <optional>
#include <string>
#include <string_view>

namespace culprit::build {

// True if the object (ELF or LTO bitcode) carries at least one frame.
bool carries_frame(std::string_view object);

// A copy of the ELF object `object` with a frame that holds `object`; `name` is how `culprit info`
// calls it.
Result<std::string> self_carrying_copy(std::string_view object, const std::string &name);

// If any member of the archive lacks a frame: a copy of it in which every member carries one.
// `path` is for messages, and where a thin archive's members are looked for.
Result<std::optional<std::string>> self_carrying_archive(std::string_view archive,
                                                         const std::string &path);

} // namespace culprit::build
