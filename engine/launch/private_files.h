// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides how each private directory of a request is kept private, and makes the copies where that
// is the way.
#pragma once

#include "engine/error.h"
#include "engine/launch/abilities.h"
#include "engine/launch/init/plan.h"
#include "engine/launch/launch.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace culprit::launch {

struct PrivateFiles {
  std::vector<init::Overlay> overlays;
  std::vector<init::Bind> binds;   // in the order they have to be made
  std::filesystem::path directory; // where the target starts
  // Where the runtime has to write its run file, if the place asked for is in a private directory
  // and would be thrown away with it.
  std::optional<std::filesystem::path> run_file;
  std::vector<std::string> notes;
  std::vector<std::filesystem::path> copies;
};

// `scratch` is an empty directory of ours for this attempt alone.
Result<PrivateFiles> arrange_private_files(const Request &request, const Abilities &abilities,
                                           const std::filesystem::path &scratch);

} // namespace culprit::launch
