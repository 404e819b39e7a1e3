// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/runtime_options.h"

#include "abi/environment.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <string_view>

namespace culprit::launch {
namespace {

enum class Type { u64, path };

struct Row {
  std::string_view name;
  Type type;
};

constexpr auto kRows = std::to_array<Row>({
#define OPTION(type, name, initial, meaning) {#name, Type::type},
#include "abi/options.def"
#undef OPTION
});

const Row *find(std::string_view name) {
  const auto *row = std::ranges::find(kRows, name, &Row::name);
  return row == kRows.end() ? nullptr : row;
}

bool is_number(std::string_view text) {
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

} // namespace

Result<std::string> encode_runtime_options(const Variables &options) {
  std::string encoded;
  for (const auto &[name, value] : options) {
    const Row *row = find(name);
    if (!row)
      return fail(fmt::format("the runtime has no option '{}'", name));
    if (row->type == Type::u64 && !is_number(value))
      return fail(fmt::format("runtime option {}: '{}' is not a number", name, value));
    if (value.find(':') != std::string::npos || value.find('\0') != std::string::npos)
      return fail(
          fmt::format("runtime option {}: '{}' contains ':', which separates options", name, value),
          "choose a path without ':'");
    if (!encoded.empty())
      encoded += ':';
    encoded += fmt::format("{}={}", name, value);
  }
  if (encoded.size() > CULPRIT_RUNTIME_VALUE_LENGTH)
    return fail(fmt::format("the runtime's options take {} bytes, {} more than there is room for",
                            encoded.size(), encoded.size() - CULPRIT_RUNTIME_VALUE_LENGTH),
                "choose shorter paths, for instance by setting TMPDIR");
  encoded.resize(CULPRIT_RUNTIME_VALUE_LENGTH, ':');
  return encoded;
}

std::vector<std::filesystem::path> runtime_option_paths(const Variables &options) {
  std::vector<std::filesystem::path> paths;
  for (const auto &[name, value] : options)
    if (const Row *row = find(name); row && row->type == Type::path && !value.empty())
      paths.emplace_back(value);
  return paths;
}

std::filesystem::path run_file_option(const Variables &options) {
  for (const auto &[name, value] : options)
    if (name == "run")
      return value;
  return {};
}

} // namespace culprit::launch
