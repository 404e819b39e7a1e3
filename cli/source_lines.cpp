// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/source_lines.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <vector>

namespace culprit::cli {

namespace {

std::vector<std::string> read_lines(const std::string &path) {
  constexpr uintmax_t kLongest = 16U << 20; // no source is longer; a device or a core file may be
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) ||
      std::filesystem::file_size(path, error) > kLongest)
    return {};
  std::vector<std::string> lines;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

} // namespace

report::SourceLine source_lines() {
  auto files = std::make_shared<std::map<std::string, std::vector<std::string>>>();
  return [files](const std::string &file, size_t line) -> std::optional<std::string> {
    const auto [entry, is_new] = files->try_emplace(file);
    if (is_new)
      entry->second = read_lines(file);
    if (line == 0 || line > entry->second.size())
      return std::nullopt;
    return entry->second[line - 1];
  };
}

} // namespace culprit::cli
