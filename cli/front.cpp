// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entry of `culprit` and of the drivers' names culprit-cc, culprit-c++, culprit-ar and
// culprit-ranlib, which are told apart by argv[0]. Compiling is done here; for all else it becomes
// culprit-engine.
//
// Why two executables: the engine links the whole of LLVM, whose loading takes 15 ms. A build
// starts the compiler thousands of times, and small C files compile in 35 ms.
#include "cli/compiler.h"
#include "cli/talk.h"
#include "engine/build/toolchain.h"

#include <array>
#include <exception>
#include <filesystem>
#include <string_view>

namespace culprit::cli {

namespace {

struct Tool {
  std::string_view sub_command;    // after `culprit`; empty: none
  std::string_view installed_name; // argv[0]
  int (*run)(const std::vector<std::string> &arguments);
};

constexpr std::array<Tool, 4> kTools = {{
    {"cc", "culprit-cc", compile_c},
    {"c++", "culprit-c++", compile_cxx},
    {"", "culprit-ar", archive},
    {"", "culprit-ranlib", index_archive},
}};

int run(std::vector<std::string> argv) {
  const std::string name = std::filesystem::path(argv[0]).filename().string();
  for (const Tool &tool : kTools) {
    if (name == tool.installed_name)
      return tool.run({argv.begin() + 1, argv.end()});
    if (argv.size() > 1 && !tool.sub_command.empty() && argv[1] == tool.sub_command)
      return tool.run({argv.begin() + 2, argv.end()});
  }
  argv[0] = build::find_toolchain().engine.string();
  return become(argv);
}

} // namespace

} // namespace culprit::cli

int main(int argc, char **argv) {
  try {
    return culprit::cli::run({argv, argv + argc});
  } catch (const std::exception &error) { // out of memory
    return culprit::cli::report_error({error.what(), {}});
  }
}
