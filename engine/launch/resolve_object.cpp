// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What dlopen(3) and ld.so(8) say about where an object is looked for, in that order.
#include "engine/launch/object_service.h"

#include <array>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <glob.h>
#include <sstream>

namespace culprit::launch {
namespace {

namespace fs = std::filesystem;

constexpr int kNestedConfigurations = 8; // include lines can form a circle

// The loader skips files of another class or machine and goes on searching.
bool is_loadable(const fs::path &path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    return false;
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char *>(&header), sizeof(header));
  return file && std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_machine == EM_X86_64;
}

std::vector<fs::path> expand(const std::string &pattern) {
  std::vector<fs::path> paths;
  glob_t found{};
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  return paths;
}

void read_configuration(const fs::path &file, std::vector<fs::path> &directories, int depth) {
  std::ifstream stream(file);
  std::string line;
  while (std::getline(stream, line)) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string first;
    std::string second;
    words >> first >> second;
    if (first == "include" && depth < kNestedConfigurations) {
      fs::path pattern =
          fs::path(second).is_absolute() ? fs::path(second) : file.parent_path() / second;
      for (const fs::path &included : expand(pattern.string()))
        read_configuration(included, directories, depth + 1);
    } else if (first.starts_with('/')) {
      directories.emplace_back(first);
    }
  }
}

std::vector<fs::path> system_directories() {
  std::vector<fs::path> directories;
  read_configuration("/etc/ld.so.conf", directories, 0);
  for (const char *standard : {"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64",
                               "/usr/lib64", "/lib", "/usr/lib"})
    directories.emplace_back(standard);
  return directories;
}

} // namespace

std::optional<fs::path> resolve_object(const ObjectRequest &request, const SearchPaths &paths) {
  if (request.name.empty())
    return std::nullopt; // the program itself
  if (request.name.find('/') != std::string::npos) {
    fs::path path = request.directory / request.name; // an absolute name stays as it is
    return is_loadable(path) ? std::optional(path.lexically_normal()) : std::nullopt;
  }
  static const std::vector<fs::path> kSystem = system_directories();
  auto lists = paths.runpath ? std::array{&paths.library, &paths.caller, &kSystem}
                             : std::array{&paths.caller, &paths.library, &kSystem};
  for (const std::vector<fs::path> *list : lists)
    for (const fs::path &directory : *list) {
      // An empty entry is the current directory.
      fs::path path =
          (directory.empty() ? request.directory : request.directory / directory) / request.name;
      if (is_loadable(path))
        return path.lexically_normal();
    }
  return std::nullopt;
}

} // namespace culprit::launch
