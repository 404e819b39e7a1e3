// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the C library writes is its caller's: copies of every size and alignment, from several
// callers in turn, callbacks, the kernel, and a handler that interrupts.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char from[4096];
char to[4096];
char small[13];
char third;
short fourth;
int numbers[300];
int compared;
volatile sig_atomic_t interrupted;
static jmp_buf back;

static int compare(const void *a, const void *b) {
  char text[32];
  ++compared;
  sprintf(text, "%d", compared); // a call inside a callback
  if (compared % 100 == 0)
    raise(SIGUSR1);
  return *(const int *)a - *(const int *)b;
}

static void handle(int signal) {
  interrupted += signal != 0;
  memset(small, 'x', 5);
}

static int leave(const void *a, const void *b) {
  (void)a, (void)b;
  longjmp(back, 1);
}

// One place writes neighbours that share 8 bytes, and the end of a block.
__attribute__((noinline)) static void put(char *to, char value) { *to = value; }

int main(void) {
  signal(SIGUSR1, handle);
  char *odd = malloc(13);
  for (int i = 0; i < 60; ++i) {
    put(&third, 'z');
    put((char *)&fourth, (char)i);
    put(small + i % 13, 'w');
    put(odd + i % 13, 'v');
  }
  free(odd);
  for (int size = 0; size < 300; ++size)
    for (int shift = 0; shift < 9; ++shift) {
      memcpy(to + shift, from + size % 7, (size_t)size);
      memmove(to + 1, to + shift, (size_t)size);
    }
  for (int i = 0; i < 300; ++i)
    numbers[i] = (i * 7919) % 301;
  qsort(numbers, 300, sizeof *numbers, compare);
  if (!setjmp(back))
    qsort(numbers, 300, sizeof *numbers, leave);
  strcpy(small, "twelve bytes");
  int ends[2];
  if (pipe(ends) || write(ends[1], "kernel", 6) != 6 || read(ends[0], to + 3, 6) != 6)
    return 1;
  char *block = strdup("a block of the C library's");
  block = realloc(block, 1000);
  memset(block, 0, 1000);
  block[7] = third = 'y';
  fourth = 7;
  free(block);
  printf("%d %s %d %c %d\n", compared, small, (int)interrupted, third, fourth);
  return 0;
}
