// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `culprit info` tells of a program.
#pragma once

#include "engine/build/cache.h"
#include "engine/build/carried.h"

#include <filesystem>
#include <string>
#include <vector>

namespace culprit::report {

struct ProgramInfo {
  struct SharedObject { // that the program needs
    std::filesystem::path path;
    size_t modules = 0;
  };
  std::string program; // as the user named it
  build::Carried carried;
  std::vector<SharedObject> shared_objects;
  std::vector<build::CacheEntry> flavours;
};

std::string to_text(const ProgramInfo &info);
std::string to_json(const ProgramInfo &info);

} // namespace culprit::report
