// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The online semantics: a pointer is known by the region it was made for, wherever arithmetic has
// taken it (the paper's rules 7 to 10); the lazy semantics (rule 12) sees the block it has come to.
// Through copies, arguments, results, choices, memcpy and calls by pointer; and what the library
// has made nobody knows.
// RUN: rm -rf %t && mkdir %t && culprit c++ -O2 %s -o %t/made && %t/made > %t/out
// RUN: FileCheck --check-prefix=PLAIN %s < %t/out
// RUN: culprit flavour index-online %t/made > %t/online
// RUN: $(cat %t/online) > %t/out && FileCheck %s < %t/out
// RUN: culprit flavour index-whole-online %t/made > %t/whole
// RUN: $(cat %t/whole) > %t/out && FileCheck %s < %t/out
// RUN: culprit flavour explain %t/made > %t/explain
// RUN: env CULPRIT_RUNTIME=allocations=%t/a $(cat %t/explain) > %t/out
// RUN: env CULPRIT_RUNTIME=allocations=%t/b $(cat %t/online) > %t/out
// RUN: /usr/bin/python3 -B %S/Inputs/same_allocations.py %t/a %t/b 10
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" __attribute__((weak)) uint64_t __culprit_index_of(const void *address);
extern "C" __attribute__((weak)) uint64_t __culprit_region_of(const void *variable);

struct Held {
  long before;
  char *pointer;
};

static char *made;
static char *copy;
static char *beyond;
static int *variable;
static char *chosen;
static char *returned;
static char *by_pointer;
static char *from_number;
static char *from_library;
static int number;
static Held first;
static Held second;
static char *sorted[3];

__attribute__((noinline)) static char *step(char *from, long by) { return from + by; }
static char *other_step(char *from, long by) { return from - by; }
static char *(*volatile stepper)(char *, long) = other_step;

static void tell(const char *what, const void *where, const void *expected) {
  const bool same =
      __culprit_region_of && __culprit_region_of(where) == reinterpret_cast<uintptr_t>(expected);
  printf("%s: %s\n", what, same ? "of its region" : "of none");
}

int main(int argc, char **) {
  made = static_cast<char *>(malloc(64));
  char *const neighbour = static_cast<char *>(malloc(64));
  copy = made;
  beyond = copy + (neighbour - made) + argc; // in the other block
  variable = &number + argc;
  chosen = argc > 5 ? neighbour : made + 8;
  returned = step(step(neighbour, 100), argc);
  by_pointer = stepper(neighbour, 1000);
  from_number =
      reinterpret_cast<char *>(reinterpret_cast<uintptr_t>(made) ^ static_cast<uintptr_t>(argc));
  from_library = getenv("PATH");
  first = {1, neighbour + 3};
  memcpy(&second, &first, sizeof(Held) * static_cast<size_t>(argc));
  sorted[0] = neighbour + 70;
  sorted[1] = neighbour - 70;
  sorted[2] = neighbour;
  std::sort(sorted, sorted + 3);
  // CHECK: made: of its region
  // PLAIN: made: of none
  tell("made", &made, made);
  // CHECK: copy: of its region
  tell("copy", &copy, made);
  // CHECK: beyond: of its region
  tell("beyond", &beyond, made);
  // CHECK: lazily it is the neighbour's: 1
  printf("lazily it is the neighbour's: %d\n",
         __culprit_index_of && __culprit_index_of(beyond) == __culprit_index_of(neighbour) &&
             __culprit_index_of(beyond) != __culprit_index_of(made));
  // CHECK: variable: of its region
  tell("variable", &variable, &number);
  // CHECK: chosen: of its region
  tell("chosen", &chosen, made);
  // CHECK: returned: of its region
  tell("returned", &returned, neighbour);
  // CHECK: by pointer: of its region
  tell("by pointer", &by_pointer, neighbour);
  // CHECK: number: of none
  tell("number", &from_number, made);
  // CHECK: library: of none
  tell("library", &from_library, from_library);
  // CHECK: copied: of its region
  tell("copied", &second.pointer, neighbour);
  // CHECK: sorted: of its region
  // CHECK: sorted: of its region
  // CHECK: sorted: of its region
  for (char *&each : sorted)
    tell("sorted", &each, neighbour);
  free(made);
  free(neighbour);
  for (int i = 0; i < 10; i++)
    free(calloc(1, static_cast<size_t>(i) + 1));
  return 0;
}
