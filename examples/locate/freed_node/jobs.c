// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A queue of jobs: the arguments are jobs with a length ("name:3"); each round takes one unit off
// each and drops those that are done, until none is left.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
  struct job *next;
  char name[16];
  int left;
};

static struct job *jobs;

static void add(const char *text) {
  struct job *job = calloc(1, sizeof *job);
  const char *colon = strchr(text, ':');
  snprintf(job->name, sizeof job->name, "%.*s", colon ? (int)(colon - text) : 15, text);
  job->left = colon ? atoi(colon + 1) : 1;
  job->next = jobs;
  jobs = job;
}

static void drop(struct job *job) {
  struct job **slot = &jobs;
  while (*slot != job)
    slot = &(*slot)->next;
  *slot = job->next;
  free(job); // culprit: first corruption
}

static unsigned round_of_all(void) {
  unsigned worked = 0;
  for (struct job *job = jobs; job; job = job->next) { // culprit: the error
    ++worked;
    if (--job->left > 0)
      continue;
    printf("%s is done\n", job->name);
    drop(job);
  }
  return worked;
}

int main(int argc, char **argv) {
  unsigned rounds = 0;
  for (int i = 1; i < argc; ++i)
    add(argv[i]);
  while (jobs && rounds < 100 && round_of_all())
    ++rounds;
  printf("%u rounds\n", rounds);
  return 0;
}
