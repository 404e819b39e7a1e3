// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starting a program from a test: arguments and extra environment in, status and output out.
#pragma once

#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

namespace culprit::test {

struct Ended {
  int status; // exit status, or 128 + signal
  std::string output;
  std::string errors;
};

struct Program {
  std::vector<std::string> arguments;   // [0] is looked up in PATH unless it has a slash
  std::vector<std::string> environment; // NAME=value, added to ours
};

pid_t start(const Program &program, int output = -1, int errors = -1);
Ended run(const Program &program);

std::string program(const std::string &name); // of programs/, as built

// A fresh folder, removed with all in it unless the test failed: then its path is printed.
struct Folder {
  std::filesystem::path path;
  Folder();
  ~Folder();
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
};

} // namespace culprit::test
