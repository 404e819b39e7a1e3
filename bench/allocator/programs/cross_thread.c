// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread allocates, another frees: messages through a ring, sizes of small messages.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRing = 4096 };
static _Atomic(char *) ring[kRing];
static long steps;

static void *produce(void *unused) {
  (void)unused;
  uint64_t random = 5;
  for (long i = 0; i < steps; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    size_t size = 16 + (random >> 40) % 240;
    char *message = malloc(size);
    message[0] = (char)i;
    message[size - 1] = 1;
    while (atomic_load_explicit(&ring[i % kRing], memory_order_acquire))
      sched_yield();
    atomic_store_explicit(&ring[i % kRing], message, memory_order_release);
  }
  return NULL;
}

int main(int argc, char **argv) {
  steps = argc > 1 ? atol(argv[1]) : 10000000;
  pthread_t producer;
  pthread_create(&producer, NULL, produce, NULL);
  unsigned long sum = 0;
  for (long i = 0; i < steps; ++i) {
    char *message;
    while (!(message = atomic_load_explicit(&ring[i % kRing], memory_order_acquire)))
      sched_yield();
    sum += (unsigned char)message[0];
    free(message);
    atomic_store_explicit(&ring[i % kRing], NULL, memory_order_release);
  }
  pthread_join(producer, NULL);
  printf("%lu\n", sum);
  return 0;
}
