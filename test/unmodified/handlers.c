// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program whose signal handler allocates and frees, whatever it interrupts: malloc itself, a
// metric point. The letters of its argument say what happens besides: (t)hreads, (f)ork, (d)lopen,
// an (a)lternate stack for the handler. Every block holds its own address and a pattern, looked at
// before it is freed: a block that was handed out twice is found.
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HANDLED = 64, NODES = 512, ROUNDS = 60000 };

struct node {
  struct node *self;
  struct node *next;
  struct node *other;
  size_t size;
  unsigned char bytes[];
};

static struct node *handled[HANDLED];
static volatile sig_atomic_t signals;

static unsigned random_of(unsigned *state) {
  *state = *state * 1103515245u + 12345u;
  return *state >> 8;
}

static void fail(const char *what) {
  (void)!write(2, what, strlen(what));
  _exit(3);
}

static struct node *make(unsigned *state) {
  unsigned shape = random_of(state) % 64;
  size_t more = shape == 0 ? 200000 : shape < 4 ? random_of(state) % 20000 : random_of(state) % 200;
  struct node *made = malloc(sizeof *made + more);
  if (!made)
    fail("no memory\n");
  made->self = made;
  made->next = made->other = NULL;
  made->size = more;
  memset(made->bytes, (int)(more & 0x7f), more);
  return made;
}

static void drop(struct node *node) {
  if (!node)
    return;
  if (node->self != node || (node->size && (node->bytes[0] != (node->size & 0x7f) ||
                                            node->bytes[node->size - 1] != (node->size & 0x7f))))
    fail("a block is not what it was\n");
  node->self = NULL;
  free(node);
}

static void on_alarm(int number) {
  static unsigned state = 7;
  static char busy; // another thread has a signal, too
  (void)number;
  if (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE))
    return;
  unsigned at = (unsigned)signals % HANDLED;
  struct node *old = handled[at];
  handled[at] = make(&state);
  handled[at]->next = handled[(at + 5) % HANDLED];
  // Whoever pointed to the old one points to nothing any more, as far as we know.
  for (unsigned i = 0; i < HANDLED; i++)
    if (handled[i] && handled[i]->next == old)
      handled[i]->next = NULL;
  drop(old);
  signals = signals + 1;
  __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
}

static void start_timer(void) {
  struct itimerval often = {{0, 150}, {0, 150}};
  setitimer(ITIMER_REAL, &often, NULL);
}

static void *churn(void *seed) {
  struct node *nodes[NODES] = {0};
  unsigned state = (unsigned)(uintptr_t)seed;
  for (int round = 0; round < ROUNDS; round++) {
    unsigned at = random_of(&state) % NODES;
    for (unsigned i = 0; i < 2; i++) { // links are cut before their targets go
      unsigned near = (at + NODES - 1 - i) % NODES;
      if (nodes[near] && nodes[near]->next == nodes[at])
        nodes[near]->next = NULL;
      if (nodes[near] && nodes[near]->other == nodes[at])
        nodes[near]->other = NULL;
    }
    drop(nodes[at]);
    nodes[at] = make(&state);
    nodes[at]->next = nodes[(at + 1) % NODES];
    nodes[at]->other = nodes[(at + 2) % NODES];
    if (nodes[(at + 7) % NODES])
      nodes[(at + 7) % NODES]->other = nodes[at];
    if (nodes[at]->size < 200 && round % 5 == 0) {
      nodes[at]->self = NULL;
      nodes[at] = realloc(nodes[at], sizeof(struct node) + nodes[at]->size);
      nodes[at]->self = nodes[at];
    }
  }
  for (int at = 0; at < NODES; at++)
    drop(nodes[at]);
  return NULL;
}

static void with_threads(void) {
  pthread_t threads[2];
  for (uintptr_t i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, churn, (void *)(i + 100));
  churn((void *)3);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
}

static void with_fork(void) {
  pid_t child = fork();
  if (child == 0) {
    start_timer(); // a child has none
    churn((void *)5);
    exit(0);
  }
  churn((void *)6);
  int status = 1;
  while (waitpid(child, &status, 0) < 0)
    ;
  if (status)
    fail("the child failed\n");
}

static void with_dlopen(void) {
  for (int i = 0; i < 40; i++) {
    void *library = dlopen("libresolv.so.2", RTLD_NOW);
    if (!library || !dlsym(library, "ns_initparse"))
      fail("dlopen failed\n");
    dlclose(library);
  }
}

int main(int count, char **arguments) {
  const char *letters = count > 1 ? arguments[1] : "";
  struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  if (strchr(letters, 'a')) {
    static char stack[65536];
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternate, NULL);
    action.sa_flags |= SA_ONSTACK;
  }
  sigaction(SIGALRM, &action, NULL);
  start_timer();
  churn((void *)1);
  if (strchr(letters, 'd'))
    with_dlopen();
  if (strchr(letters, 'f'))
    with_fork();
  if (strchr(letters, 't'))
    with_threads();
  churn((void *)2);
  struct itimerval never = {0};
  setitimer(ITIMER_REAL, &never, NULL);
  puts(signals > 10 ? "ok" : "no signals");
  return 0;
}
