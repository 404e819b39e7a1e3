// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/response_file.h"

namespace culprit::build {

bool fits_command_line(const std::vector<std::string> &arguments) {
  constexpr size_t kSafeLength = 100'000;
  size_t length = 0;
  for (const std::string &argument : arguments)
    length += argument.size() + 1;
  return length <= kSafeLength;
}

std::string response_file_text(const std::vector<std::string> &arguments) {
  std::string text;
  for (const std::string &argument : arguments) {
    text += '"';
    for (const char c : argument) {
      if (c == '"' || c == '\\')
        text += '\\';
      text += c;
    }
    text += "\"\n";
  }
  return text;
}

} // namespace culprit::build
