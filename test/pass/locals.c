// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang-format off
// Local variables: those that can be written past their end or too late are watched, others are not; names are the source's.
// RUN: clang -g -O1 -S -emit-llvm %s -o %t.ll -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -mllvm -culprit-flavour=access -mllvm -culprit-alone
// RUN: opt -passes=verify -disable-output %t.ll
// RUN: clang -c -x ir %t.ll -o %t.o -Wno-override-module
// RUN: %tables %t.o variables layouts > %t.tables
// RUN: FileCheck %s < %t.tables
// RUN: FileCheck --check-prefix=SAFE %s < %t.tables
// The same without optimisation, and with all of it.
// RUN: clang -g -O0 -c %s -o %t.o -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -mllvm -culprit-flavour=access -mllvm -culprit-alone
// RUN: %tables %t.o variables layouts | FileCheck %s
// RUN: clang -g -O3 -c %s -o %t.o -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -mllvm -culprit-flavour=access -mllvm -culprit-alone
// RUN: %tables %t.o variables layouts | FileCheck %s
// Heap flavours do not watch locals.
// RUN: clang -g -O1 -S -emit-llvm %s -o - -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -mllvm -culprit-flavour=monitor -mllvm -culprit-alone | FileCheck --check-prefix=MONITOR %s
// MONITOR-NOT: culprit_local
// MONITOR-NOT: culprit_unwound
#include <alloca.h>

struct pair { int a; long b; };
void use(void *);
int out(int);

// SAFE-NOT: function=safe
// An index that stays inside, and an address that does not leave the program.
__attribute__((noinline)) static void safe_callee(int *p) { *p = out(*p); }
int safe(int i) {
  volatile int t[4] = {1, 2, 3, out(i)};
  int passed = i;
  safe_callee(&passed);
  return t[i & 3] + passed;
}
// CHECK-DAG: function=indexed kind=local line=[[#@LINE+2]] name=t size=16 type=int[]{{$}}
// CHECK-DAG: function=indexed kind=return line=[[#@LINE+1]] size=8{{$}}
int indexed(int i) { int t[4] = {1, 2, 3, 4}; t[i] = 5; return t[i & 3] + out(i); }
// CHECK-DAG: function=escaping kind=local layout=0 line=[[#@LINE+1]] name=p size=16 type=pair{{$}}
void escaping(void) { struct pair p; use(&p); }
// CHECK-DAG: function=array kind=local layout=0 line=[[#@LINE+1]] name=pairs size=48 type=pair[]{{$}}
void array(void) { struct pair pairs[3]; use(pairs); }
// An inlined copy is the variable of its own function; the return slot is that of the frame.
// CHECK-DAG: function=inner kind=local line=[[#@LINE+1]] name=text size=32 type=char[]{{$}}
static inline __attribute__((always_inline)) void inner(void) { char text[32]; use(text); }
// CHECK-DAG: function=outer kind=return line=[[#@LINE+1]] size=8{{$}}
void outer(void) { inner(); }
// CHECK-DAG: function=parameter kind=local line=[[#@LINE+1]] name=n size=4 type=int{{$}}
int parameter(int n) { use(&n); return n; }
// CHECK-DAG: function=variable_length kind=local line=[[#@LINE+1]] name=buffer type=char[]{{$}}
void variable_length(int n) { char buffer[n]; use(buffer); }
// CHECK-DAG: function=literal kind=local line=[[#@LINE+1]] name=(temporary) size=16{{$}}
void literal(void) { use(&(struct pair){1, 2}); }
// CHECK-DAG: layouts[0] pair size=16: a@0 b@8
