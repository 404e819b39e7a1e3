// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/needed.h"

#include "engine/build/elf_view.h"
#include "engine/build/file_bytes.h"
#include "engine/build/link_line.h"
#include "engine/launch/object_service.h"

#include "llvm/BinaryFormat/ELF.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

namespace culprit::build {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> split_path(const std::string &list, const fs::path &origin) {
  std::vector<std::string> directories;
  std::stringstream stream(list);
  for (std::string directory; std::getline(stream, directory, ':');) {
    for (const char *name : {"$ORIGIN", "${ORIGIN}"})
      if (const size_t at = directory.find(name); at != std::string::npos)
        directory.replace(at, std::string_view(name).size(), origin.string());
    directories.push_back(directory.empty() ? "." : directory);
  }
  return directories;
}

std::vector<std::string> library_path_of_environment() {
  const char *value = std::getenv("LD_LIBRARY_PATH");
  return value != nullptr && value[0] != '\0' ? split_path(value, "") : std::vector<std::string>();
}

// Where the loader looks for what `needs` asks for. An object's RPATH counts for what its
// dependencies need as well; where there is a RUNPATH, no RPATH counts.
launch::SearchPaths search_paths(const DynamicNeeds &needs,
                                 const std::vector<std::string> &inherited_rpath) {
  launch::SearchPaths paths;
  paths.runpath = !needs.runpath.empty();
  const auto &own = paths.runpath ? needs.runpath : needs.rpath;
  paths.caller.assign(own.begin(), own.end());
  if (!paths.runpath)
    paths.caller.insert(paths.caller.end(), inherited_rpath.begin(), inherited_rpath.end());
  const auto library = library_path_of_environment();
  paths.library.assign(library.begin(), library.end());
  return paths;
}

class Closure {
public:
  Result<void> add(const fs::path &file, const std::vector<std::string> &inherited_rpath) {
    auto needs = read_dynamic_needs(file);
    if (!needs)
      return std::unexpected(needs.error());
    const launch::SearchPaths paths = search_paths(*needs, inherited_rpath);
    std::vector<std::string> rpath =
        needs->runpath.empty() ? needs->rpath : std::vector<std::string>();
    rpath.insert(rpath.end(), inherited_rpath.begin(), inherited_rpath.end());
    std::error_code ignored;
    for (const std::string &name : needs->needed) {
      const auto found = launch::resolve_object({name, file, fs::current_path(ignored)}, paths);
      if (!found) {
        missing_.emplace_back(file, name);
        continue;
      }
      found_names_.insert(name);
      const fs::path path = fs::weakly_canonical(*found, ignored);
      if (is_system_file(path.string()) || !seen_.insert(path).second)
        continue;
      objects_.push_back(path);
      if (auto added = add(path, rpath); !added)
        return added;
    }
    return {};
  }

  // A name that is nowhere to be found may be a damaged one, and then an object with carried frames
  // would be left out without a word; in either case the program would not start. (The loader takes
  // an object that is loaded already for any later need of the same name, so this can be told only
  // at the end.)
  Result<void> check_complete() const {
    for (const auto &[file, name] : missing_)
      if (!found_names_.contains(name))
        return fail(fmt::format("{}: needs {}, which is not found", file.string(), name),
                    "install it, or set LD_LIBRARY_PATH as the program needs it");
    return {};
  }
  std::vector<fs::path> take() { return std::move(objects_); }

private:
  std::set<fs::path> seen_;
  std::set<std::string> found_names_;
  std::vector<std::pair<fs::path, std::string>> missing_; // who needs what
  std::vector<fs::path> objects_;
};

} // namespace

launch::SearchPaths search_paths(const DynamicNeeds &needs) { return search_paths(needs, {}); }

Result<DynamicNeeds> read_dynamic_needs(std::string_view bytes, const fs::path &file) {
  auto named = [&](const Error &error) {
    return fail(fmt::format("{}: {}", file.string(), error.what), error.hint);
  };
  const auto elf = read_elf(bytes);
  if (!elf)
    return named(elf.error());
  auto value_of = [&](uint64_t tag) {
    const auto found = std::ranges::find(elf->dynamic, tag, &DynamicEntry::tag);
    return found == elf->dynamic.end() ? 0 : found->value;
  };
  std::string_view strings = loaded_at(*elf, value_of(llvm::ELF::DT_STRTAB));
  strings = strings.substr(0, value_of(llvm::ELF::DT_STRSZ));

  std::error_code ignored;
  const fs::path origin = fs::weakly_canonical(file, ignored).parent_path();
  DynamicNeeds needs;
  for (const DynamicEntry &entry : elf->dynamic) {
    if (entry.tag != llvm::ELF::DT_NEEDED && entry.tag != llvm::ELF::DT_RPATH &&
        entry.tag != llvm::ELF::DT_RUNPATH)
      continue;
    const size_t end = strings.find('\0', entry.value);
    const bool is_need = entry.tag == llvm::ELF::DT_NEEDED;
    if (end == std::string_view::npos || (is_need && end == entry.value))
      return named({"damaged ELF file: a name in the dynamic table is not there",
                    "build it again, or copy it again"});
    const std::string text(strings.substr(entry.value, end - entry.value));
    if (is_need)
      needs.needed.push_back(text);
    else
      (entry.tag == llvm::ELF::DT_RPATH ? needs.rpath : needs.runpath) = split_path(text, origin);
  }
  return needs;
}

Result<DynamicNeeds> read_dynamic_needs(const fs::path &file) {
  auto bytes = FileBytes::map(file);
  if (!bytes)
    return std::unexpected(bytes.error());
  return read_dynamic_needs(bytes->view(), file);
}

Result<std::vector<fs::path>> needed_objects(const fs::path &program, Missing missing) {
  Closure closure;
  if (auto added = closure.add(program, {}); !added)
    return std::unexpected(added.error());
  if (missing == Missing::is_an_error)
    if (auto complete = closure.check_complete(); !complete)
      return std::unexpected(complete.error());
  return closure.take();
}

} // namespace culprit::build
