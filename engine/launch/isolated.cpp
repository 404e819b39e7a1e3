// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/isolated.h"

#include "engine/launch/descriptor.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace culprit::launch {

namespace {

enum ExitCode { kDone = 0, kFailed = 1, kLost = 2 };

// What a crash would otherwise leave behind: a core file, LLVM's words on standard error, and a
// second interrupt in the pipe that the handlers share with the parent.
void leave_no_trace() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
    ::signal(signal, SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
#if !__has_feature(address_sanitizer) // there a report about our own code must be seen
  if (const int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC); null >= 0)
    ::dup2(null, STDERR_FILENO);
#endif
}

bool send(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(to, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

[[noreturn]] void be_the_child(int to, const std::function<Result<std::string>()> &work) {
  leave_no_trace();
  const Result<std::string> result = work();
  if (result)
    ::_exit(send(to, *result) ? kDone : kLost);
  // what and hint are single lines
  ::_exit(send(to, result.error().what + "\n" + result.error().hint) ? kFailed : kLost);
}

std::string receive(int from) {
  std::string text;
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t count = ::read(from, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return text;
    text.append(buffer.data(), static_cast<size_t>(count));
  }
}

} // namespace

Result<std::string> isolated(const std::function<Result<std::string>()> &work) {
  Pipe pipe = open_pipe();
  if (!pipe.read_end.is_open())
    return fail(fmt::format("a pipe cannot be made: {}", std::strerror(errno)));
  const pid_t child = ::fork();
  if (child < 0)
    return fail(fmt::format("a process cannot be started: {}", std::strerror(errno)));
  if (child == 0)
    be_the_child(pipe.write_end.get(), work);
  pipe.write_end = Descriptor();
  std::string text = receive(pipe.read_end.get());
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == kDone)
    return text;
  const size_t end = text.find('\n');
  if (WIFEXITED(status) && WEXITSTATUS(status) == kFailed && end != std::string::npos)
    return fail(text.substr(0, end), text.substr(end + 1));
  return fail("reading it ends in a crash: the bytes are damaged");
}

} // namespace culprit::launch
