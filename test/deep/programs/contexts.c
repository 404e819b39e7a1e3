// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks whose names differ by the callers, in frames of all kinds: recursions by two ways, frames
// of a size that is not constant, with and without frame pointer, large ones, callbacks of the C
// library, other threads, and handlers of signals on a stack of their own. The call stacks are the
// same down to the last of the four callers, or differ at the same place of the stack.
#include <alloca.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline, noclone))

static int *volatile g_last;

APART static void keep(int value) {
  int *block = malloc(sizeof *block + (size_t)(value & 1));
  *block = value;
  free(g_last);
  g_last = block;
}

// Which of two calls it is decides about the name, at one place of the stack.
APART static void descend(unsigned depth, unsigned way) {
  if (depth == 0) {
    keep((int)way);
    return;
  }
  if ((way & 1) != 0)
    descend(depth - 1, way >> 1);
  else
    descend(depth - 1, way >> 1 | 0x80);
  __asm__ volatile("" ::: "memory"); // no jump to itself instead of a call
}

APART static void in_moving_frame(unsigned depth, unsigned way) {
  char *room = alloca(16 + (way % 5) * 48);
  memset(room, (int)way, 16);
  __asm__ volatile("" ::"r"(room) : "memory");
  if (depth == 0)
    keep((int)way);
  else
    in_moving_frame(depth - 1, way / 2);
  __asm__ volatile("" ::"r"(room) : "memory");
}

__attribute__((optimize("no-omit-frame-pointer"))) APART static void
with_frame_pointer(unsigned depth, unsigned way) {
  if (depth == 0)
    descend(2, way);
  else if ((way & 4) != 0)
    with_frame_pointer(depth - 1, way >> 1);
  else
    with_frame_pointer(depth - 1, way);
  __asm__ volatile("" ::: "memory");
}

APART static void in_large_frame(unsigned way) {
  char room[100000];
  memset(room, (int)way, 8);
  __asm__ volatile("" ::"r"(room) : "memory");
  if ((way & 1) != 0)
    keep((int)way);
  else
    descend(1, way);
  __asm__ volatile("" ::"r"(room) : "memory");
}

static int compare(const void *a, const void *b) {
  const unsigned first = *(const unsigned *)a;
  const unsigned second = *(const unsigned *)b;
  descend(first % 3, second);
  return (first > second) - (first < second);
}

static void on_signal(int number) { descend(1, (unsigned)number); }

static void *in_thread(void *argument) {
  for (unsigned way = 0; way < 64; ++way) {
    descend(3, way);
    with_frame_pointer(2, way);
  }
  return argument;
}

int main(void) {
  keep(1); // behind main there is little
  stack_t other = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
  sigaltstack(&other, NULL);
  sigaction(SIGUSR1, &action, NULL);
  for (unsigned round = 0; round < 3; ++round) {
    for (unsigned way = 0; way < 128; ++way) {
      keep((int)way);
      for (unsigned depth = 0; depth < 7; ++depth)
        descend(depth, way);
      in_moving_frame(way % 4, way);
      with_frame_pointer(way % 5, way);
      in_large_frame(way);
    }
    unsigned numbers[40];
    for (unsigned i = 0; i < 40; ++i)
      numbers[i] = i * 17 % 41;
    qsort(numbers, 40, sizeof *numbers, compare);
    raise(SIGUSR1);
    pthread_t thread;
    pthread_create(&thread, NULL, in_thread, NULL);
    pthread_join(thread, NULL);
  }
  free(g_last);
  stack_t none = {.ss_flags = SS_DISABLE};
  sigaltstack(&none, NULL);
  free(other.ss_sp);
  return 0;
}
