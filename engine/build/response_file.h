// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Response files: arguments for which a command line has no room. Linux allows 128 KiB for one
// argument.
#pragma once

#include <string>
#include <vector>

namespace culprit::build {

// True if the arguments can be handed to a program as they are, with room to spare for its
// environment.
bool fits_command_line(const std::vector<std::string> &arguments);

// The text of a response file with these arguments, in the quoting that clang and the linkers
// understand.
std::string response_file_text(const std::vector<std::string> &arguments);

} // namespace culprit::build
