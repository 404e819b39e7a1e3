// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ends in the way its argument names: return, exit, _exit, abort, vfork (a child that ends by _exit
// first).
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  const char *way = argc > 1 ? argv[1] : "";
  free(malloc(10));
  if (!strcmp(way, "exit"))
    exit(11);
  if (!strcmp(way, "_exit"))
    _exit(12);
  if (!strcmp(way, "_Exit"))
    _Exit(13);
  if (!strcmp(way, "abort"))
    abort();
  if (!strcmp(way, "vfork")) {
    pid_t child = vfork();
    if (!child)
      _exit(99);
    waitpid(child, NULL, 0);
    return 14;
  }
  if (!strcmp(way, "fork")) {
    pid_t child = fork();
    if (!child)
      exit(15);
    waitpid(child, NULL, 0);
    return 16;
  }
  return 10;
}
