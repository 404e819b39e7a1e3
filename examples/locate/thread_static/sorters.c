// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sorters put parcels into bins, in a static executable. The last bin is counted twice.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kBins = 4 };

struct hall {
  unsigned bin[kBins];
  unsigned *total;
};

static struct hall hall;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned parcels;

static void *sort(void *which) {
  const unsigned sorter = *(const unsigned *)which;
  for (unsigned i = 0; i < parcels; ++i) {
    pthread_mutex_lock(&lock);
    hall.bin[(i + sorter) % (kBins + 1)] += i + 1; // culprit: first corruption
    ++*hall.total;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(int argc, char **argv) {
  static unsigned number[2] = {0, 1};
  pthread_t threads[2];
  parcels = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
  hall.total = calloc(1, sizeof *hall.total);
  for (int i = 0; i < 2; ++i)
    pthread_create(&threads[i], NULL, sort, &number[i]);
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  printf("%u parcels\n", *hall.total);
  free(hall.total);
  return 0;
}
