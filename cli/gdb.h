// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `culprit locate --gdb` and `--gdb-script FILE`: gdb on the `debug` flavour of a located program,
// stopped at its first point of corruption.
#pragma once

#include "engine/error.h"
#include "engine/launch/cases.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace culprit::cli {

// Says how to get it where there is none.
Result<std::filesystem::path> find_gdb();

struct DebugOptions {
  std::string program; // as the user wrote it
  launch::Case input = {};
  std::string script = {}; // write it here; empty: nowhere
  bool start = false;      // gdb itself
  unsigned jobs = 1;
  bool quiet = false;
};

// `document`: of one case, with outcome located. Returns when gdb has ended.
Result<void> debug_located(const nlohmann::ordered_json &document, const DebugOptions &options);

} // namespace culprit::cli
