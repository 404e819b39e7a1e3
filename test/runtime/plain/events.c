// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program without the runtime, to be run with it preloaded: threads that allocate, then a signal
// handler that allocates at any moment, an object loaded and unloaded, and the child of a fork that
// goes on by itself.
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

struct node {
  struct node *next;
  long value;
};

static struct node *lists[64];
static struct node *volatile by_handler;
static volatile sig_atomic_t handled;

static struct node *push(struct node *list, long value) {
  struct node *node = malloc(sizeof *node + (size_t)value % 40);
  node->next = list;
  node->value = value;
  return node;
}

static void work(long from) {
  for (long i = from; i < from + 20000; ++i) {
    struct node **list = &lists[i % 64];
    *list = push(*list, i);
    if (i % 3 == 0) {
      struct node *first = *list;
      *list = first->next;
      free(first);
    }
  }
}

static void *thread(void *list) {
  struct node *own = list;
  for (long i = 0; i < 5000; ++i)
    own = push(own, i);
  return own;
}

// Keeps what it allocates: freeing would be no other path.
static void handle(int signal) {
  (void)signal;
  if (handled++ < 2000)
    by_handler = push(by_handler, handled);
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i)
    pthread_create(&threads[i], NULL, thread, NULL);
  for (int i = 0; i < 3; ++i) {
    void *list;
    pthread_join(threads[i], &list);
    lists[i] = list;
  }
  signal(SIGALRM, handle);
  const struct itimerval often = {{0, 300}, {0, 300}};
  setitimer(ITIMER_REAL, &often, NULL);
  work(0);
  while (handled < 20)
    work(0);
  const struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
  void *object = dlopen("libm.so.6", RTLD_NOW);
  work(100);
  if (object)
    dlclose(object);
  const pid_t child = fork();
  work(child == 0 ? 200 : 300);
  if (child == 0)
    return 3;
  int status = 0;
  waitpid(child, &status, 0);
  long seen = 0;
  for (struct node *node = by_handler; node; node = node->next)
    ++seen;
  printf("%d %d\n", WEXITSTATUS(status), seen == (handled < 2000 ? handled : 2000));
  return WEXITSTATUS(status) == 3 && seen > 0 ? 0 : 1;
}
