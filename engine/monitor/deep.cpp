// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/monitor/deep.h"

#include "engine/build/needed.h"
#include "engine/build/toolchain.h"
#include "engine/monitor/other_rights.h"
#include "engine/monitor/unmodified.h"
#include "engine/native/names.h"

#include <fmt/format.h>
#include <system_error>
#include <vector>

namespace culprit::monitor {

namespace fs = std::filesystem;

namespace {

// The executable and what it is linked with, as the tool will find them named.
std::vector<fs::path> files_of(const fs::path &program) {
  std::vector<fs::path> files{program};
  if (const auto needed = build::needed_objects(program, build::Missing::is_left_out))
    files.insert(files.end(), needed->begin(), needed->end());
  std::error_code ignored;
  for (fs::path &file : files)
    if (fs::path real = fs::canonical(file, ignored); !ignored)
      file = std::move(real);
  return files;
}

// Once for all runs: reading debug information takes longer than many a run.
Result<void> add_names(Deep &deep) {
  const std::string table = native::names_table(files_of(deep.program.original));
  if (table.empty())
    return {};
  auto folder = launch::TemporaryDirectory::create();
  if (!folder)
    return std::unexpected(folder.error());
  const fs::path file = folder->path() / "names";
  if (auto written = launch::write_atomically(file, table); !written)
    return written;
  deep.names = std::make_unique<launch::TemporaryDirectory>(std::move(*folder));
  deep.program.under.push_back(fmt::format("--names={}", file.string()));
  return {};
}

} // namespace

fs::path deep_core() {
  return build::find_toolchain().deep.parent_path() / "vgpreload_core-amd64-linux.so";
}

Result<void> refuse_other_user(const fs::path &program) {
  if (other_rights(program).is_marked)
    return fail(fmt::format("--deep: {} runs with the rights of another user or with capabilities, "
                            "which Valgrind refuses",
                            program.string()),
                "run a copy of it without these: cp makes one");
  return {};
}

Result<Deep> open_deep(const std::string &typed, const DeepOptions &options) {
  const fs::path tool = build::find_toolchain().deep;
  std::error_code ignored;
  if (!fs::exists(tool, ignored))
    return fail("--deep: this culprit was built without its Valgrind tool",
                fmt::format("install the package {} and build culprit again", kDeepPackage));
  if (!fs::exists(deep_core(), ignored))
    return fail("--deep: Valgrind is not installed",
                fmt::format("sudo apt-get install -y {}", kDeepPackage));
  auto file = open_executable(typed);
  if (!file)
    return std::unexpected(file.error());
  if (auto refused = refuse_other_user(file->path); !refused)
    return std::unexpected(refused.error());
  auto yes = [](bool on) { return on ? "yes" : "no"; };
  Deep deep{.program = {.original = file->path, .name = typed},
            .names = nullptr,
            .build_id = fmt::format("{}{:016x}", kDeepBuild, file->hash),
            .folder = tool.parent_path()};
  deep.program.under = {tool.string(),
                        "--tool=culprit",
                        "-q",
                        "--vgdb=no",
                        fmt::format("--program={}", file->path.string()),
                        fmt::format("--reads={}", yes(options.reads)),
                        fmt::format("--counts={}", yes(options.counts))};
  if (auto named = add_names(deep); !named)
    return std::unexpected(named.error());
  return deep;
}

launch::Variables deep_environment(const Deep &deep) {
  // Valgrind's launcher sets the second; its tools refuse to run without.
  return {{"VALGRIND_LIB", deep.folder.string()},
          {"VALGRIND_LAUNCHER", (deep.folder / "culprit-amd64-linux").string()}};
}

} // namespace culprit::monitor
