// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/monitor/unseen.h"

#include "engine/build/needed.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace culprit::monitor {

namespace fs = std::filesystem;

namespace {

void add(std::vector<std::string> &parts, std::string name) {
  if (std::ranges::find(parts, name) == parts.end())
    parts.push_back(std::move(name));
}

} // namespace

bool is_system_library(std::string_view file_name) {
#define SYSTEM_LIBRARY(beginning)                                                                  \
  if (file_name.starts_with(beginning))                                                            \
    return true;
#include "abi/system_libraries.def"
#undef SYSTEM_LIBRARY
  return false;
}

std::vector<std::string> unseen_parts(const launch::Program &program,
                                      const build::Carried &carried) {
  std::vector<std::string> parts;
  for (const build::NativeObject *native : carried.natives())
    add(parts, fs::path(native->name).filename().string());
  std::vector<fs::path> files = {program.original};
  for (const launch::Substitution &object : program.substitutions)
    files.push_back(object.original);
  for (const fs::path &file : files) {
    const auto needs = build::read_dynamic_needs(file);
    if (!needs)
      continue; // whoever runs it says so
    for (const std::string &name : needs->needed) {
      const std::string file_name = fs::path(name).filename().string();
      const bool has_flavour =
          std::ranges::any_of(program.substitutions, [&](const launch::Substitution &object) {
            return object.original.filename() == file_name;
          });
      if (!has_flavour && !is_system_library(file_name))
        add(parts, file_name);
    }
  }
  return parts;
}

std::string unseen_text(const std::vector<std::string> &parts) {
  constexpr size_t kNamed = 4;
  if (parts.empty())
    return {};
  std::string names;
  for (size_t i = 0; i < std::min(parts.size(), kNamed); ++i)
    names += fmt::format("{}{}", i == 0 ? "" : ", ", parts[i]);
  if (parts.size() > kNamed)
    names += fmt::format(" and {} more", parts.size() - kNamed);
  return fmt::format("what {} {} is not seen, for want of bitcode; --deep sees it", names,
                     parts.size() == 1 ? "writes" : "write");
}

} // namespace culprit::monitor
