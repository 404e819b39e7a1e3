// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a command and writes its user + system seconds and peak memory to descriptor 3. A process
// inherits the peak of the image it replaces, so a command started by Python would never seem
// smaller than Python: this is.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  pid_t child = fork();
  if (child == 0) {
    close(3);
    if (*argv[1])
      setenv("LD_PRELOAD", argv[1], 1); // here, so that the launcher itself runs without
    execvp(argv[2], argv + 2);
    _exit(127);
  }
  int status;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) < 0)
    return 2;
  dprintf(3, "%ld.%06ld %ld.%06ld %ld\n", (long)usage.ru_utime.tv_sec, (long)usage.ru_utime.tv_usec,
          (long)usage.ru_stime.tv_sec, (long)usage.ru_stime.tv_usec, usage.ru_maxrss);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
