// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program's own code, told from that of the language and the system: what came with those does
// what it is told, and nobody mends it, however much of the heap it wrote.
//
// By name (namespaces std and __gnu_cxx, operator new and delete, names the language reserves) or
// by file (headers of the system). Both are needed: an instance of a template of the library may be
// named after the program's types, and a function without debug information has no file.
#pragma once

#include "engine/heap/sites.h"

#include <span>
#include <string_view>
#include <vector>

namespace culprit::heap {

bool is_library_name(std::string_view linkage);
bool is_library_file(std::string_view file);
inline bool is_library(std::string_view linkage, std::string_view file) {
  return is_library_name(linkage) || is_library_file(file);
}

// A site as the program's own functions see it: where it is, then where that was inlined; what is
// library code is left out. Empty: all of it is.
std::vector<InlinedAt> own_frames(const Site &site);

// Where the program asked for a block: a container's own code, or std::make_unique, allocates for
// whoever called it. The allocation site where all callers are library code; null without known
// ones.
const Site *own_allocation_site(std::span<const Site *const> chain);

} // namespace culprit::heap
