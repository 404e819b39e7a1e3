// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/compiler.h"

#include "cli/command.h"
#include "engine/build/compile_line.h"
#include "engine/build/link_step.h"
#include "engine/build/toolchain.h"
#include "engine/launch/interrupt.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

namespace culprit::cli {

namespace {

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

int link_shim(const std::vector<std::string> &arguments) {
  launch::handle_interrupts();
  const char *linker = std::getenv(build::kLinkerVariable);
  const std::string path = linker != nullptr
                               ? std::string(linker)
                               : build::find_linker(build::find_toolchain(), "").string();
  auto status = build::link_and_record(path, arguments);
  if (!status)
    return report_error(status.error());
  if (status->ending == launch::Ending::signalled) {
    // clang tells a linker that crashed from one that failed, and so do its callers. One core file,
    // the linker's, is enough.
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    ::signal(status->code, SIG_DFL);
    ::raise(status->code);
  }
  return status->code;
}

} // namespace culprit::cli
