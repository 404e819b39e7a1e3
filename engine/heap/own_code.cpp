// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See own_code.h.
#include "engine/heap/own_code.h"

#include "abi/library_files.h"

#include <filesystem>

namespace culprit::heap {

bool is_library_name(std::string_view linkage) {
  if (linkage.starts_with("__"))
    return true;
  // The C++ ABI's names: _ZN…, _ZNK… of a member, St and Sa, Ss, … within std.
  for (const std::string_view start : {"_ZNK", "_ZN", "_Z"})
    if (linkage.starts_with(start)) {
      const std::string_view rest = linkage.substr(start.size());
      return rest.starts_with("9__gnu_cxx") ||
             (rest.size() > 1 && rest[0] == 'S' &&
              std::string_view("tabsiod").find(rest[1]) != std::string_view::npos) ||
             (start == "_Z" && (rest.starts_with("nw") || rest.starts_with("na") ||
                                rest.starts_with("dl") || rest.starts_with("da")));
    }
  return false;
}

bool is_library_file(std::string_view file) {
  return culprit_is_library_file(std::filesystem::path(file).lexically_normal().c_str()) != 0;
}

std::vector<InlinedAt> own_frames(const Site &site) {
  std::vector<InlinedAt> frames;
  const auto add = [&](const InlinedAt &frame) {
    if (!frame.function.empty() && !is_library(frame.function, frame.file))
      frames.push_back(frame);
  };
  add({site.function, site.file, site.line, site.column});
  for (const InlinedAt &caller : site.at)
    add(caller);
  return frames;
}

const Site *own_allocation_site(std::span<const Site *const> chain) {
  const Site *where = allocation_site(chain);
  if (where == nullptr || !is_library(where->function, where->file))
    return where;
  for (const Site *caller : chain)
    if (caller != nullptr && !caller->wrapper && !is_library(caller->function, caller->file))
      return caller;
  return where;
}

} // namespace culprit::heap
