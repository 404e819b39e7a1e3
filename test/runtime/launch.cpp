// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/runtime/launch.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

namespace culprit::test {
namespace {

std::string read_all(FILE *file) {
  std::string text;
  std::rewind(file);
  char buffer[4096];
  while (size_t length = std::fread(buffer, 1, sizeof buffer, file))
    text.append(buffer, length);
  std::fclose(file);
  return text;
}

} // namespace

pid_t start(const Program &program, int output, int errors) {
  std::vector<char *> arguments;
  for (const std::string &argument : program.arguments)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_t child = fork();
  if (child != 0)
    return child;
  for (const std::string &variable : program.environment)
    putenv(const_cast<char *>(variable.c_str()));
  if (output >= 0)
    dup2(output, 1);
  if (errors >= 0)
    dup2(errors, 2);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

Ended run(const Program &program) {
  FILE *output = std::tmpfile();
  FILE *errors = std::tmpfile();
  int status = 0;
  waitpid(start(program, fileno(output), fileno(errors)), &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_all(output),
          read_all(errors)};
}

std::string program(const std::string &name) { return std::string(PROGRAMS_FOLDER) + "/" + name; }

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "culprit-test-XXXXXX").string();
  path = mkdtemp(name.data());
}

Folder::~Folder() {
  if (testing::Test::HasFailure())
    std::printf("kept for a look: %s\n", path.c_str());
  else
    std::filesystem::remove_all(path);
}

} // namespace culprit::test
