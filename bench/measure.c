// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// measure OUT [NAME=VALUE...] -- COMMAND...: runs COMMAND and writes "status user-seconds
// system-seconds peak-KiB" to OUT. Why not from Python: at exec the kernel carries the memory peak
// of the forking process over into the child's ru_maxrss, so a 2 MiB program started by a 15 MiB
// interpreter would be reported as 15 MiB. This process stays near 1 MiB, below anything that is
// measured, and the settings are for COMMAND alone so that a preloaded library does not fatten it.
// The status is the exit code, or 128 + signal, as a shell gives it.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int command = 2;
  while (command < argc && strcmp(argv[command], "--") != 0)
    command++;
  if (++command >= argc)
    return 2;
  pid_t child = fork();
  if (child < 0)
    return 2;
  if (child == 0) {
    for (int i = 2; i < command - 1; i++)
      putenv(argv[i]);
    execvp(argv[command], argv + command);
    perror(argv[command]);
    _exit(127);
  }
  int status = 0;
  struct rusage usage = {0};
  if (wait4(child, &status, 0, &usage) != child)
    return 2;
  FILE *out = fopen(argv[1], "w");
  if (!out)
    return 2;
  fprintf(out, "%d %ld.%06ld %ld.%06ld %ld\n",
          WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), usage.ru_utime.tv_sec,
          usage.ru_utime.tv_usec, usage.ru_stime.tv_sec, usage.ru_stime.tv_usec, usage.ru_maxrss);
  return fclose(out) ? 2 : 0;
}
