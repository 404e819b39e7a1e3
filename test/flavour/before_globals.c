// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang-format off
// A negative index into the first global there is, initialised or not: in front of it lies nothing of the program's, and what it hits
// is told all the same.
// RUN: rm -rf %t && mkdir %t && cd %t && culprit cc -O2 %s -o prog && culprit cc -O2 -DINITIALISED %s -o other
// RUN: for n in $(seq 20 44); do echo $n; done > good
// RUN: culprit train -q --only access -m prog.model --cases good -- ./prog
// RUN: culprit check -q --only access -m prog.model -- ./prog 64
// RUN: culprit check --only access -m prog.model -- ./prog 30 -61 > out; test $? -eq 1 && FileCheck %s < out
// RUN: culprit train -q --only access -m other.model --cases good -- ./other
// RUN: culprit check -q --only access -m other.model -- ./other 64
// RUN: culprit check --only access -m other.model -- ./other 30 -3 > out; test $? -eq 1 && FileCheck %s < out
#include <stdio.h>
#include <stdlib.h>

#ifdef INITIALISED
static unsigned letters[128] = {1, 2, 3};
#else
static unsigned letters[128];
#endif

// CHECK: access anomaly: count writes memory of no object
// CHECK: in training this place wrote only letters
__attribute__((noinline)) static void count(int letter) { letters[letter]++; }

int main(int argc, char **argv) {
  for (int i = atoi(argv[1]); i >= 0; --i)
    count(i);
  if (argc > 2)
    count(atoi(argv[2]));
  printf("%u\n", letters[7]);
  return 0;
}
