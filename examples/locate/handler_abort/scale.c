// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scale that keeps weights in a ring. A fault is caught on a stack of its own, told, and made an
// abort so that there is a core file.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kRing = 16 };

struct scale {
  int ring[kRing];
  const int *unit;
  unsigned next;
};

static struct scale scale;
static const int gram = 1;
static char other_stack[65536];

static void on_fault(int number, siginfo_t *info, void *context) {
  static const char text[] = "scale: fault\n";
  (void)number;
  (void)info;
  (void)context;
  if (write(2, text, sizeof text - 1) > 0)
    abort();
}

static void weigh(int grams) {
  if (scale.next > kRing) // culprit: the error
    scale.next = 0;
  scale.ring[scale.next++] = grams * *scale.unit; // culprit: first corruption
}

int main(void) {
  stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof other_stack};
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  int grams;
  sigaltstack(&stack, NULL);
  sigaction(SIGSEGV, &action, NULL);
  scale.unit = &gram;
  while (scanf("%d", &grams) == 1)
    weigh(grams);
  printf("%u in the ring\n", scale.next);
  return 0;
}
