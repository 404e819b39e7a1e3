// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands for gdb that run a located program up to its first corruption.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace culprit::report {

struct GdbTarget {
  std::filesystem::path executable = {}; // flavour `debug`
  std::vector<std::string> arguments = {};
  std::optional<std::filesystem::path> standard_input = {};
  std::filesystem::path directory = {};
  std::vector<int64_t> from_main = {}; // engine/locate/statement_code.h; empty: it has no code
  bool exact = false;
};

// `corruption`: the first of `first_corruption` of a located document; `error` its kind.
std::string gdb_script(const nlohmann::ordered_json &corruption, const std::string &error,
                       const GdbTarget &target);

} // namespace culprit::report
