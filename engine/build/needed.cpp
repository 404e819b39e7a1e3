// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/needed.h"

#include "engine/build/file_bytes.h"
#include "engine/build/link_line.h"

#include "llvm/Object/ELF.h"

#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <sstream>

namespace culprit::build {

namespace fs = std::filesystem;
using Elf = llvm::object::ELF64LEFile;

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

std::optional<fs::path> find_in(const std::vector<std::string> &directories, const std::string &name) {
  std::error_code ignored;
  for (const std::string &directory : directories)
    if (const fs::path candidate = fs::path(directory) / name; fs::exists(candidate, ignored))
      return fs::weakly_canonical(candidate, ignored);
  return std::nullopt;
}

class Closure {
public:
  Result<void> add(const fs::path &file, const std::vector<std::string> &inherited_rpath) {
    auto needs = read_dynamic_needs(file);
    if (!needs)
      return std::unexpected(needs.error());
    // An object's RPATH counts for what its dependencies need as well, unless a RUNPATH is there.
    std::vector<std::string> rpath = needs->runpath.empty() ? needs->rpath : std::vector<std::string>();
    rpath.insert(rpath.end(), inherited_rpath.begin(), inherited_rpath.end());
    for (const std::string &name : needs->needed) {
      std::optional<fs::path> found;
      if (name.find('/') != std::string::npos) {
        found = find_in({"."}, name);
      } else {
        std::vector<std::string> search = rpath;
        search.insert(search.end(), library_path_.begin(), library_path_.end());
        search.insert(search.end(), needs->runpath.begin(), needs->runpath.end());
        found = find_in(search, name);
      }
      if (!found || is_system_file(found->string()) || !seen_.insert(*found).second)
        continue;
      objects_.push_back(*found);
      if (auto added = add(*found, rpath); !added)
        return added;
    }
    return {};
  }
  std::vector<fs::path> take() { return std::move(objects_); }

private:
  std::vector<std::string> library_path_ = library_path_of_environment();
  std::set<fs::path> seen_;
  std::vector<fs::path> objects_;
};

} // namespace

std::vector<std::string> library_path_of_environment() {
  const char *value = std::getenv("LD_LIBRARY_PATH");
  return value != nullptr && value[0] != '\0' ? split_path(value, "") : std::vector<std::string>();
}

Result<DynamicNeeds> read_dynamic_needs(const fs::path &file) {
  auto bytes = FileBytes::map(file);
  if (!bytes)
    return std::unexpected(bytes.error());
  auto broken = [&](llvm::Error error) {
    return fail(fmt::format("{}: damaged ELF file: {}", file.string(), llvm::toString(std::move(error))));
  };
  auto elf = Elf::create(llvm::StringRef(bytes->view().data(), bytes->view().size()));
  if (!elf)
    return broken(elf.takeError());
  auto entries = elf->dynamicEntries();
  if (!entries)
    return broken(entries.takeError());
  std::error_code ignored;
  const fs::path origin = fs::weakly_canonical(file, ignored).parent_path();

  uint64_t table_address = 0;
  uint64_t table_size = 0;
  for (const auto &entry : *entries) {
    if (entry.d_tag == llvm::ELF::DT_STRTAB)
      table_address = entry.d_un.d_ptr;
    else if (entry.d_tag == llvm::ELF::DT_STRSZ)
      table_size = entry.d_un.d_val;
  }
  DynamicNeeds needs;
  if (table_address == 0)
    return needs;
  auto table = elf->toMappedAddr(table_address);
  if (!table)
    return broken(table.takeError());
  const char *begin = reinterpret_cast<const char *>(*table);
  const size_t room = static_cast<size_t>(bytes->view().data() + bytes->view().size() - begin);
  const std::string_view strings(begin, std::min<uint64_t>(table_size, room));
  auto string_at = [&](uint64_t offset) {
    if (offset >= strings.size())
      return std::string();
    const std::string_view rest = strings.substr(offset);
    return std::string(rest.substr(0, rest.find('\0')));
  };
  for (const auto &entry : *entries) {
    if (entry.d_tag == llvm::ELF::DT_NEEDED)
      needs.needed.push_back(string_at(entry.d_un.d_val));
    else if (entry.d_tag == llvm::ELF::DT_RPATH)
      needs.rpath = split_path(string_at(entry.d_un.d_val), origin);
    else if (entry.d_tag == llvm::ELF::DT_RUNPATH)
      needs.runpath = split_path(string_at(entry.d_un.d_val), origin);
  }
  return needs;
}

Result<std::vector<fs::path>> needed_objects(const fs::path &program) {
  Closure closure;
  if (auto added = closure.add(program, {}); !added)
    return std::unexpected(added.error());
  return closure.take();
}

} // namespace culprit::build
