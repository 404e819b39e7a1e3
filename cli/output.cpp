// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/output.h"

#include "cli/command.h"
#include "engine/launch/temporary.h"

#include <array>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace culprit::cli {

Result<void> write_document(const std::string &destination, const std::string &text) {
  if (destination != "-")
    return launch::write_atomically(destination, text);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    return fail("standard output cannot be written");
  return {};
}

nlohmann::ordered_json document_head(const std::string &command, const std::string &program) {
  return {{"tool", "culprit"}, {"version", kVersion}, {"command", command}, {"program", program}};
}

std::string human_size(uint64_t bytes) {
  static constexpr std::array<const char *, 5> kUnits = {"B", "kB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  while (value >= 1000 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

} // namespace culprit::cli
