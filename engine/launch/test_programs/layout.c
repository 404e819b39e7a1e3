/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Prints whatever a change of layout, process number or environment order would change. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;
static int in_data;

int main(int count, char **arguments) {
  int on_stack = count;
  void *small = malloc(24);
  void *large = malloc(1 << 20);
  printf("stack %p\nheap %p\nlarge %p\ndata %p\ncode %p\nlibc %p\narguments %p\nenvironment %p\n",
         (void *)&on_stack, small, large, (void *)&in_data, (void *)main, (void *)strlen,
         (void *)arguments[0], (void *)environ[0]);
  printf("process %d\nparent %d\n", (int)getpid(), (int)getppid());
  free(small);
  free(large);
  return 0;
}
