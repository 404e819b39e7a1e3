// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exec family: an image that replaces itself writes no end, so what was counted so far is
// written first. The functions are made anew from the system call, as POSIX describes them: the
// real ones are not to be had in a static executable. A child of vfork executes with our memory but
// not as our process; the writer notices by the pid.
#include "runtime/access/state.h"
#include "runtime/os/process.h"

#include <errno.h>
#include <stdarg.h>

using namespace culprit;

#define CULPRIT_PUBLIC extern "C" __attribute__((visibility("default")))

extern "C" __attribute__((weak, visibility("default"))) char **environ;

namespace {

using Words = char *const *;

int become(const char *path, Words arguments, Words environment) {
  access::append_counts_now();
  errno = os::execute(path, arguments, environment);
  return -1;
}

Words current_environment() { return &environ ? environ : nullptr; }

size_t count_words(Words words) {
  size_t count = 0;
  while (words[count])
    ++count;
  return count;
}

// A file without a header that the kernel knows is a script of the shell's.
int become_script(const char *path, Words arguments, Words environment) {
  size_t count = count_words(arguments);
  constexpr char kShell[] = "/bin/sh";
  auto **words = static_cast<char **>(__builtin_alloca((count + 2) * sizeof(char *)));
  words[0] = const_cast<char *>(kShell);
  words[1] = const_cast<char *>(path);
  for (size_t i = 1; i <= count; ++i)
    words[i + 1] = arguments[i];
  if (!count)
    words[2] = nullptr;
  return become(kShell, words, environment);
}

int try_path(const char *path, Words arguments, Words environment) {
  int result = become(path, arguments, environment);
  return errno == ENOEXEC ? become_script(path, arguments, environment) : result;
}

const char *search_path(Words environment) {
  for (; environment && *environment; ++environment) {
    const char *text = *environment;
    if (text[0] == 'P' && text[1] == 'A' && text[2] == 'T' && text[3] == 'H' && text[4] == '=')
      return text + 5;
  }
  return "/bin:/usr/bin";
}

int become_found(const char *file, Words arguments, Words environment) {
  size_t length = 0;
  bool has_folder = false;
  for (; file[length]; ++length)
    has_folder |= file[length] == '/';
  if (!length) {
    errno = ENOENT;
    return -1;
  }
  if (has_folder)
    return try_path(file, arguments, environment);
  constexpr size_t kLongest = 4096;
  char path[kLongest];
  bool refused = false;
  errno = ENOENT;
  for (const char *folder = search_path(current_environment());;) {
    size_t end = 0;
    while (folder[end] && folder[end] != ':')
      ++end;
    if (end + 1 + length < kLongest) {
      size_t at = 0;
      for (; at < end; ++at)
        path[at] = folder[at];
      if (end)
        path[at++] = '/';
      for (size_t i = 0; i <= length; ++i)
        path[at + i] = file[i];
      try_path(path, arguments, environment);
      refused |= errno == EACCES;
      if (errno != EACCES && errno != ENOENT && errno != ENOTDIR && errno != ESTALE &&
          errno != ENODEV && errno != ETIMEDOUT)
        return -1;
    }
    if (!folder[end])
      break;
    folder += end + 1;
  }
  if (refused)
    errno = EACCES;
  return -1;
}

} // namespace

CULPRIT_PUBLIC int execve(const char *path, Words arguments, Words environment) {
  return become(path, arguments, environment);
}

CULPRIT_PUBLIC int execv(const char *path, Words arguments) {
  return become(path, arguments, current_environment());
}

CULPRIT_PUBLIC int execvp(const char *file, Words arguments) {
  return become_found(file, arguments, current_environment());
}

CULPRIT_PUBLIC int execvpe(const char *file, Words arguments, Words environment) {
  return become_found(file, arguments, environment);
}

CULPRIT_PUBLIC int fexecve(int descriptor, Words arguments, Words environment) {
  access::append_counts_now();
  errno = os::execute(nullptr, arguments, environment, descriptor);
  return -1;
}

// The words of a call up to the null that ends them.
#define CULPRIT_WORDS(first)                                                                       \
  va_list list;                                                                                    \
  size_t count = 1;                                                                                \
  va_start(list, first);                                                                           \
  while (va_arg(list, char *))                                                                     \
    ++count;                                                                                       \
  va_end(list);                                                                                    \
  auto **words = static_cast<char **>(__builtin_alloca((count + 1) * sizeof(char *)));             \
  words[0] = const_cast<char *>(first);                                                            \
  va_start(list, first);                                                                           \
  for (size_t i = 1; i <= count; ++i)                                                              \
  words[i] = va_arg(list, char *)

CULPRIT_PUBLIC int execl(const char *path, const char *first, ...) {
  CULPRIT_WORDS(first);
  va_end(list);
  return become(path, words, current_environment());
}

CULPRIT_PUBLIC int execlp(const char *file, const char *first, ...) {
  CULPRIT_WORDS(first);
  va_end(list);
  return become_found(file, words, current_environment());
}

CULPRIT_PUBLIC int execle(const char *path, const char *first, ...) {
  CULPRIT_WORDS(first);
  Words environment = va_arg(list, Words);
  va_end(list);
  return become(path, words, environment);
}
