// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared objects a program needs, found as the dynamic loader finds them: RPATH,
// LD_LIBRARY_PATH, RUNPATH, then the system's folders. Only what lies outside the system's folders
// can carry frames, so nothing of the loader's cache file is read.
#pragma once

#include "engine/error.h"
#include "engine/launch/object_service.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::build {

struct DynamicNeeds {
  std::vector<std::string> needed;  // DT_NEEDED, as written
  std::vector<std::string> rpath;   // DT_RPATH, $ORIGIN replaced
  std::vector<std::string> runpath; // DT_RUNPATH, $ORIGIN replaced
};

// What the file itself asks for. A statically linked file asks for nothing.
Result<DynamicNeeds> read_dynamic_needs(const std::filesystem::path &file);

// The same on bytes; `file` is for messages and $ORIGIN.
Result<DynamicNeeds> read_dynamic_needs(std::string_view bytes, const std::filesystem::path &file);

// Where the loader looks for what an object with these needs asks for.
launch::SearchPaths search_paths(const DynamicNeeds &needs);

// A program that needs what is nowhere to be found will not start. A shared object may: what it
// needs can be found through the program that loads it.
enum class Missing { is_an_error, is_left_out };

// Every shared object outside the system's folders that `program` needs, directly or through
// another.
Result<std::vector<std::filesystem::path>> needed_objects(const std::filesystem::path &program,
                                                          Missing missing);

} // namespace culprit::build
