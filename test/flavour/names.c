// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang-format off
// Names after link-time optimisation are those of the sources: what is internal to a file stays so
// although everything is internal to the program by then, variables of the same name are told
// apart, types that two files include are one. User's debug information or not is the same.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: culprit cc -O2 -I %S/Inputs %s %S/Inputs/names_other.c -o prog
// RUN: %tables $(culprit flavour access ./prog) variables layouts | sort > names
// RUN: FileCheck %s < names
// RUN: test $(grep -c ' entry size=32' names) = 1
// RUN: culprit cc -O2 -g -I %S/Inputs %s %S/Inputs/names_other.c -o prog-g
// RUN: %tables $(culprit flavour both-count ./prog-g) variables layouts | sort | diff names -
// RUN: ./prog a bb ccc > plain
// RUN: culprit run -q --flavour access -- ./prog a bb ccc | diff plain -
// RUN: culprit run -q --flavour both-reads-count -- ./prog a bb ccc | diff plain -
#include "names.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

// CHECK-DAG: internal=True kind=global line=4 name=buffer size=24 type=char[]{{$}}
// CHECK-DAG: internal=True kind=global line=[[#@LINE+1]] name=buffer size=40 type=char[]{{$}}
static char buffer[40];
// CHECK-DAG: kind=global line=5 name=shared size=8 type=entry *{{$}}
// CHECK-DAG: function=make_entry internal=True kind=global line=7 name=made size=4 type=int{{$}}
// CHECK-DAG: kind=global layout=[[#]] line=[[#@LINE+1]] name=table size=96 type=entry[]{{$}}
struct entry table[3];
// CHECK-DAG: layouts[{{[0-9]+}}] entry size=32: number@0 name@4[] next@24
// CHECK-DAG: function=fill kind=local line=[[#@LINE+4]] name=copy size=32 type=char[]{{$}}
static jmp_buf back;

__attribute__((noinline)) static void fill(struct entry *entry, const char *text, int fails) {
  char copy[32];
  strncpy(copy, text, sizeof copy - 1);
  copy[31] = 0;
  strcpy(entry->name, copy);
  if (fails)
    longjmp(back, 1);
}

int main(int argc, char **argv) {
  for (volatile int i = 1; i < argc && i < 4; ++i) {
    strcpy(buffer, argv[i]);
    if (setjmp(back) == 0)
      fill(&table[i - 1], argv[i], i == 2);
    table[i - 1].next = make_entry(buffer);
    printf("%s %s %d\n", table[i - 1].name, shared->name, shared->number);
  }
  return 0;
}
