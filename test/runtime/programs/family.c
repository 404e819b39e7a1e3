// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A C program without libstdc++: every function of the family once, under its own name, and a
// constructor that allocates before main. Prints "fine" if all of them behaved.
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *early;
__attribute__((constructor)) static void allocate_early(void) { early = strdup("early"); }

static void *in_thread(void *argument) {
  free(argument);
  return malloc(100);
}

static void check(int good, const char *what) {
  if (!good) {
    printf("wrong: %s\n", what);
    exit(1);
  }
}

int main(void) {
  check(strcmp(early, "early") == 0, "constructor");
  free(early);
  char *p = malloc(10);
  p = realloc(p, 100000);
  p = realloc(p, 1000000);
  p = reallocarray(p, 10, 10);
  check(malloc_usable_size(p) >= 100, "usable size");
  free(p);
  int *zeroed = calloc(1000, sizeof *zeroed);
  for (int i = 0; i < 1000; ++i)
    check(zeroed[i] == 0, "calloc");
  free(zeroed);
  void *q = NULL;
  check(posix_memalign(&q, 4096, 100) == 0 && (uintptr_t)q % 4096 == 0, "posix_memalign");
  free(q);
  free(memalign(64, 10));
  free(aligned_alloc(64, 64));
  free(valloc(10));
  free(pvalloc(10));
  errno = 0;
  check(malloc(SIZE_MAX) == NULL && errno == ENOMEM, "ENOMEM");
  pthread_t thread;
  check(pthread_create(&thread, NULL, in_thread, malloc(50)) == 0, "thread");
  void *result;
  pthread_join(thread, &result);
  free(result);
  char *text = NULL;
  check(asprintf(&text, "%d", 42) == 2, "asprintf");
  free(text);
  puts("fine");
  return 0;
}
