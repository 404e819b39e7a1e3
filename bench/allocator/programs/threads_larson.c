// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that replace blocks of a shared-out table and hand their table on to a new thread, as a
// server's requests.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kThreads = 4, kBlocks = 2000 };
static long steps;

struct Work {
  char *blocks[kBlocks];
  uint64_t random;
};
static struct Work works[kThreads];

static void *serve(void *argument) {
  struct Work *work = argument;
  for (long i = 0; i < steps; ++i) {
    work->random = work->random * 6364136223846793005u + 1442695040888963407u;
    size_t place = (work->random >> 33) % kBlocks;
    size_t size = 10 + (work->random >> 20) % 500;
    free(work->blocks[place]);
    work->blocks[place] = malloc(size);
    work->blocks[place][0] = 1;
  }
  return NULL;
}

int main(int argc, char **argv) {
  long total = argc > 1 ? atol(argv[1]) : 40000000;
  int rounds = 20;
  steps = total / kThreads / rounds;
  for (int round = 0; round < rounds; ++round) {
    pthread_t threads[kThreads];
    for (int i = 0; i < kThreads; ++i) {
      works[i].random += (uint64_t)i + 1;
      // Each round another thread frees what this one allocated.
      pthread_create(&threads[i], NULL, serve, &works[(i + round) % kThreads]);
    }
    for (int i = 0; i < kThreads; ++i)
      pthread_join(threads[i], NULL);
  }
  puts("done");
  return 0;
}
