// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/environment.h"

#include <algorithm>
#include <string_view>
#include <unistd.h>

namespace culprit::launch {

Variables own_environment() {
  Variables variables;
  for (char **entry = environ; entry && *entry; ++entry) {
    std::string_view text = *entry;
    size_t equals = text.find('=');
    if (equals != std::string_view::npos && equals > 0)
      variables.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return variables;
}

void set_variables(Variables &variables, const Variables &changes) {
  for (const auto &[name, value] : changes) {
    std::erase_if(variables, [&](const auto &variable) { return variable.first == name; });
    variables.emplace_back(name, value);
  }
}

std::vector<std::string> to_entries(const Variables &variables) {
  std::vector<std::string> entries;
  entries.reserve(variables.size());
  for (const auto &[name, value] : variables)
    entries.emplace_back(name).append(1, '=').append(value);
  return entries;
}

std::vector<char *> to_pointers(std::span<const std::string> strings) {
  std::vector<char *> pointers;
  pointers.reserve(strings.size() + 1);
  for (const std::string &string : strings)
    pointers.push_back(const_cast<char *>(string.c_str())); // exec does not write
  pointers.push_back(nullptr);
  return pointers;
}

} // namespace culprit::launch
