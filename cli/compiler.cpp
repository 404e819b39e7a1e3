// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/compiler.h"

#include "cli/talk.h"
#include "engine/build/compile_line.h"
#include "engine/build/toolchain.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

namespace culprit::cli {

int become(const std::vector<std::string> &argv) {
  std::vector<char *> pointers;
  pointers.reserve(argv.size() + 1);
  for (const std::string &argument : argv)
    pointers.push_back(const_cast<char *>(argument.c_str()));
  pointers.push_back(nullptr);
  execv(pointers[0], pointers.data());
  return report_error({fmt::format("{}: {}", argv[0], std::strerror(errno)),
                       "`culprit doctor` says what is missing"});
}

namespace {

int compile(bool is_cxx, const std::vector<std::string> &arguments) {
  const build::Toolchain toolchain = build::find_toolchain();
  const build::DriverCommand command = build::driver_command(toolchain, is_cxx, arguments);
  if (!command.linker.empty())
    setenv(build::kLinkerVariable, command.linker.c_str(), 1);
  return become(command.argv);
}

int become_tool(const std::filesystem::path &tool, const std::vector<std::string> &arguments) {
  std::vector<std::string> argv = {tool.string()};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return become(argv);
}

} // namespace

int compile_c(const std::vector<std::string> &arguments) { return compile(false, arguments); }
int compile_cxx(const std::vector<std::string> &arguments) { return compile(true, arguments); }

int archive(const std::vector<std::string> &arguments) {
  return become_tool(build::find_toolchain().ar, arguments);
}

int index_archive(const std::vector<std::string> &arguments) {
  return become_tool(build::find_toolchain().ranlib, arguments);
}

} // namespace culprit::cli
