/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* eater MIB [children]: touches that many MiB, forks children that share them, and ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments) {
  size_t mebibytes = count > 1 ? strtoul(arguments[1], NULL, 10) : 1;
  int children = count > 2 ? atoi(arguments[2]) : 0;
  /* Reserved in bulk, as the runtime's heap is: must not count. */
  mmap(NULL, 1UL << 40, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  for (size_t i = 0; i < mebibytes; ++i) {
    char *block = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(block, 1, 1 << 20);
    usleep(500); /* some 2 GiB a second: gives a loaded machine the time to look */
  }
  for (int i = 0; i < children; ++i)
    if (fork() == 0) {
      usleep(300000);
      _exit(0);
    }
  while (wait(NULL) > 0)
    ;
  puts("done");
  return 0;
}
