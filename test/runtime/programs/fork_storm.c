// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fork from a process whose threads allocate and free all the time: every child allocates, forks
// once more, and ends.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int done;

static void *churn(void *argument) {
  unsigned random = (unsigned)(size_t)argument;
  void *blocks[64] = {0};
  while (!done) {
    random = random * 1664525 + 1013904223;
    unsigned place = (random >> 8) % 64;
    free(blocks[place]);
    blocks[place] = malloc(random >> ((random & 63) ? 22 : 12));
  }
  for (int i = 0; i < 64; ++i)
    free(blocks[i]);
  return NULL;
}

static int work(void) {
  for (int i = 1; i < 3000; ++i) {
    char *block = malloc((size_t)i * 13 % 5000 + 1);
    if (!block)
      return 1;
    memset(block, i, (size_t)i * 13 % 5000 + 1);
    if (i % 3)
      free(block);
  }
  return 0;
}

static int run_child(int depth) {
  pid_t child = fork();
  if (child == 0) {
    int bad = work();
    if (depth)
      bad |= run_child(depth - 1);
    _exit(bad);
  }
  int status = 1;
  if (child < 0 || waitpid(child, &status, 0) != child)
    return 1;
  return status != 0;
}

int main(int argc, char **argv) {
  int forks = argc > 1 ? atoi(argv[1]) : 200;
  pthread_t threads[3];
  for (size_t i = 0; i < 3; ++i)
    pthread_create(&threads[i], NULL, churn, (void *)(i + 1));
  int bad = 0;
  for (int i = 0; i < forks; ++i)
    bad |= run_child(1);
  done = 1;
  for (int i = 0; i < 3; ++i)
    pthread_join(threads[i], NULL);
  puts(bad ? "wrong" : "fine");
  return bad;
}
