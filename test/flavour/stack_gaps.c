// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang-format off
// Eight bytes behind a buffer on the stack, where nothing has a name in the source: an access that training does not know, and
// a finding that says whose end was passed; by the program's own loop and by the C library. Runs that stay inside are silent, to
// the last byte.
// RUN: rm -rf %t && mkdir %t && cd %t && culprit cc -O2 %s -o prog
// RUN: for n in $(seq 20 60); do echo loop $n; echo library $n; done > good
// RUN: culprit train -q --only access -m prog.model --cases good -- ./prog
// RUN: culprit check -q --only access -m prog.model -- ./prog loop 64 && culprit check -q --only access -m prog.model -- ./prog library 64
// RUN: culprit check --only access -m prog.model --json loop.json -- ./prog loop 72 > out; test $? -eq 1 && FileCheck %s < out
// RUN: FileCheck --check-prefix=JSON %s < loop.json
// RUN: culprit check --only access -m prog.model -- ./prog library 72 > out; test $? -eq 1 && FileCheck --check-prefix=LIBRARY %s < out
// RUN: ./prog loop 60 > plain && culprit run -q --flavour access -- ./prog loop 60 | diff plain -
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[256];

// CHECK: take_one_by_one writes memory behind local 'buffer' of take_one_by_one
// CHECK: object: memory of no object behind local variable 'buffer' of take_one_by_one
// JSON: "kind": "outside",
// JSON: "object": {
// JSON-NEXT: "kind": "outside",
// JSON-NEXT: "name": "buffer",
// JSON: "function": "take_one_by_one",
__attribute__((noinline)) static int take_one_by_one(int length) {
  volatile char buffer[64];
  for (int i = 0; i < length; ++i)
    buffer[i] = text[i];
  return buffer[length / 2];
}

// LIBRARY: memory behind local 'copy' of take_all
__attribute__((noinline)) static int take_all(int length) {
  char copy[64];
  memcpy(copy, text, (size_t)length);
  return (int)fwrite(copy, 1, (size_t)length, stdout);
}

int main(int argc, char **argv) {
  const int length = argc > 2 ? atoi(argv[2]) : 0;
  for (int i = 0; i < length && i < 255; ++i)
    text[i] = (char)('a' + i % 26);
  printf("%d\n", strcmp(argv[1], "loop") == 0 ? take_one_by_one(length) : take_all(length));
  return 0;
}
