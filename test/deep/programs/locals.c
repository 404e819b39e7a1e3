// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions with arrays and structs in their frames that end in every way a compiler makes them
// end: with a return, with a jump to another function (always, on a condition, through a pointer),
// from the middle of a switch, out of a recursion, and with a scope inside that shares its place
// with another. Everything is written through pointers, and nothing ever beyond its end. Where
// their frames were, others write in between.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point {
  int x, y;
  char mark;
  double weight[2];
};

static long total;
static long (*volatile through)(char *, long);

// Neither the optimiser nor Valgrind knows where that is: a place at a constant distance from the
// stack pointer cannot go astray, and is not looked at.
static void *volatile kept;
static void *hidden(void *memory) {
  kept = memory;
  return kept;
}

// No array and no struct here: what it writes on the stack belongs to nobody.
__attribute__((noinline)) static long unnamed(long depth) {
  long scalar = depth;
  long *at = hidden(&scalar);
  *at += 1;
  return depth > 0 ? unnamed(depth - 1) + *at : *at;
}

__attribute__((noinline)) static long last(char *text, long length) {
  char copy[40];
  char *to = hidden(copy);
  memset(to, 'x', sizeof copy);
  for (long i = 0; i < length; ++i)
    to[i] = text[i];
  return to[0] + unnamed(length % 7);
}

// Ends with a jump to `last`, its own frame being gone.
__attribute__((noinline)) static long jumps(char *text, long length) {
  volatile char local[72]; // whose address stays here: else there is no jump
  for (long i = 0; i < 72; ++i)
    local[i] = (char)(i + length);
  total += local[length];
  return last(text, length);
}

__attribute__((noinline)) static long jumps_at_times(char *text, long length) {
  struct point here[3];
  struct point *at = hidden(here);
  for (int i = 0; i < 3; ++i)
    at[i] = (struct point){i, (int)length, 'm', {1.5, 2.5}};
  total += at[1].y;
  if (length % 3 == 0)
    return last(text, length);
  return at[2].x;
}

__attribute__((noinline)) static long jumps_through_pointer(char *text, long length) {
  volatile char local[64];
  for (long i = 0; i < 64; ++i)
    local[i] = (char)(i * length);
  total += local[length];
  return through(text, length);
}

__attribute__((noinline)) static long chooses(int which, char *text) {
  char local[16];
  char *to = hidden(local);
  memset(to, 0, sizeof local);
  switch (which) {
  case 0:
    memcpy(to, text, 4);
    break;
  case 1:
    memcpy(to, text, 5);
    return to[4];
  case 2:
    memset(to, 3, 9);
    break;
  case 3:
    to[7] = 'c';
    return jumps(text, 2);
  case 4:
    to[8] = 'd';
    break;
  case 5:
    memset(to, 1, sizeof local);
    return last(text, 3);
  default:
    to[9] = 'e';
  }
  total += to[9 - which];
  return which;
}

__attribute__((noinline)) static long descends(int depth) {
  struct point here;
  struct point *at = hidden(&here);
  memset(at, depth, sizeof *at);
  at->x = depth;
  if (depth == 0)
    return at->x;
  const long below = descends(depth - 1);
  at->y = (int)below;
  return at->y + at->x + unnamed(2);
}

__attribute__((noinline)) static long shares(int which) {
  if (which % 2 != 0) {
    char text[64];
    char *to = hidden(text);
    memset(to, which, sizeof text);
    return to[5];
  }
  struct point several[2];
  struct point *at = hidden(several);
  at[0].x = at[1].x = which;
  at[1].weight[0] = which;
  return at[1].x;
}

int main(void) {
  char text[] = "what is copied";
  for (int i = 0; i < 300; ++i) {
    through = i % 5 == 0 ? jumps : last;
    total += jumps(text, i % 14) + unnamed(i % 9);
    total += jumps_at_times(text, i % 14) + unnamed(i % 9);
    total += jumps_through_pointer(text, i % 14) + unnamed(i % 9);
    total += chooses(i % 7, text) + unnamed(i % 9);
    total += descends(i % 6) + unnamed(i % 9);
    total += shares(i) + unnamed(i % 9);
  }
  printf("%ld\n", total);
  return 0;
}
