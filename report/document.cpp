// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/document.h"

#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace culprit::report {

nlohmann::ordered_json document_head(const std::string &command, const std::string &program) {
  return {{"tool", "culprit"}, {"version", kVersion}, {"command", command}, {"program", program}};
}

std::string to_text(const nlohmann::ordered_json &document) {
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
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

std::string counted(size_t count, std::string_view what) {
  return fmt::format("{} {}{}", grouped(count), what, count == 1 ? "" : "s");
}

} // namespace culprit::report
