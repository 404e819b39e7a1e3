// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A ledger that several clerks write into. The next free line is known to all of them and guarded
// by a mutex; who finds the page full turns it over.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define LINES 16
#define CLERKS 4

struct page {
  long amounts[LINES];
  struct page *next;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct page *page;
static int line;
static int entries;

static void turn_over(void) {
  struct page *fresh = calloc(1, sizeof *fresh);
  fresh->next = page;
  page = fresh;
}

static void *write_down(void *argument) {
  int amount = *(int *)argument;
  for (int i = 0; i < entries; ++i) {
    pthread_mutex_lock(&mutex);
    if (line > LINES) { // culprit: the error
      turn_over();
      line = 0;
    }
    page->amounts[line] = amount + i; // culprit: first corruption
    ++line;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(int argc, char **argv) {
  entries = argc > 1 ? atoi(argv[1]) : 1;
  pthread_t clerks[CLERKS];
  int first[CLERKS];
  turn_over();
  for (int i = 0; i < CLERKS; ++i) {
    first[i] = 100 * (i + 1);
    if (pthread_create(&clerks[i], NULL, write_down, &first[i]) != 0)
      return 1;
  }
  for (int i = 0; i < CLERKS; ++i)
    pthread_join(clerks[i], NULL);
  long sum = 0;
  int pages = 0;
  while (page) {
    for (int i = 0; i < LINES; ++i)
      sum += page->amounts[i];
    struct page *next = page->next;
    free(page);
    page = next;
    ++pages;
  }
  printf("%d pages, sum %ld\n", pages, sum);
  return 0;
}
