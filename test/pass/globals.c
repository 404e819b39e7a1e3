// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang-format off
// The globals of a unit: what the program can write, by the names of the source.
// RUN: clang -g -O1 -c %s -o %t.o -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -mllvm -culprit-flavour=access -mllvm -culprit-alone
// RUN: %tables %t.o variables > %t.variables
// RUN: FileCheck %s < %t.variables
// RUN: FileCheck --check-prefix=LEFT-OUT %s < %t.variables
// RUN: clang -g -O1 -S -emit-llvm %s -o - -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -mllvm -culprit-flavour=access -mllvm -culprit-alone | FileCheck --check-prefix=IR %s
// Without debug information there are still names and sizes.
// RUN: clang -O1 -c %s -o %t.bare.o -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -mllvm -culprit-flavour=access -mllvm -culprit-alone
// RUN: %tables %t.bare.o variables | FileCheck --check-prefix=BARE %s
// A flavour that does not watch accesses has no such table.
// RUN: clang -g -O1 -S -emit-llvm %s -o - -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -mllvm -culprit-flavour=monitor -mllvm -culprit-alone | FileCheck --check-prefix=MONITOR %s
// MONITOR-NOT: culprit.globals
struct entry { int key; char *value; };

// CHECK-DAG: variables[0] kind=global line=[[#@LINE+3]] name=counter size=4 type=int{{$}}
// IR: @culprit.globals = internal global [11 x { ptr, i64, ptr, i32, i32, i64, i64, ptr }] [{ ptr, i64, ptr, i32, i32, i64, i64, ptr } { ptr @counter, i64 4, ptr @culprit.access_unit, i32 0, i32 0, i64 0, i64 0, ptr null },
// BARE: variables[0] kind=global name=counter size=4{{$}}
int counter = 1;
// CHECK-DAG: kind=global layout=0 line=[[#@LINE+1]] name=entries size=160 type=entry[]{{$}}
struct entry entries[10];
// CHECK-DAG: internal=True kind=global line=[[#@LINE+6]] name=hidden size=32 type=char[]{{$}}
// BARE-DAG: internal=True kind=global name=hidden size=32
// What lies behind an array.
// CHECK-DAG: internal=True kind=outside line=[[#@LINE+3]] name=hidden size=16{{$}}
// BARE-DAG: internal=True kind=outside name=hidden size=16
// IR-SAME: { ptr getelementptr {{.*}}@hidden, {{.*}}, i64 16, ptr @culprit.access_unit, i32 {{8|9|10}}, i32 0, i64 0, i64 0, ptr null }
static char hidden[32];
// CHECK-DAG: kind=global line=[[#@LINE+1]] name=placed size=4
int placed __attribute__((section("my_section"))) = 2;
// CHECK-DAG: kind=global line=[[#@LINE+1]] name=common size=64
int common[16] __attribute__((common));

// LEFT-OUT-NOT: {{constant|of_thread|elsewhere|retained|frame|culprit}}
const int constant[4] = {1, 2, 3, 4};
_Thread_local int of_thread;
extern int elsewhere;
int retained __attribute__((section(".note.retained"))) = 3;

// CHECK-DAG: function=next internal=True kind=global line=[[#@LINE+2]] name=last size=4 type=int{{$}}
int next(int by) {
  static int last;
  last += by + of_thread + elsewhere + retained;
  hidden[last & 31] = 1;
  return last;
}
// A variable of the same name in another function.
// CHECK-DAG: function=sum internal=True kind=global line=[[#@LINE+2]] name=last size=8 type=long{{$}}
int sum(const char *text) {
  static long last;
  for (; *text; ++text)
    last += *text;
  return (int)last + hidden[1];
}
// Split by the optimiser: the parts are named by their member.
// CHECK-DAG: internal=True kind=global line=[[#@LINE+1]] name=split.key size=4{{$}}
static struct entry split;
void set(int key) { split.key = key; }
int get(void) { return split.key; }
