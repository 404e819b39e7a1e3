// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang-format off
// Variables stay in the order of their definitions when modules are merged, though they are used in another.
// RUN: clang -O0 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.plain.ll
// RUN: clang -O0 -Xclang -disable-llvm-passes -DOTHER -S -emit-llvm %s -o %t.other.ll
// RUN: opt -load-pass-plugin=%plugin -culprit-flavour=trace -passes=culprit-prepare %t.plain.ll -o %t.1.bc
// RUN: opt -load-pass-plugin=%plugin -culprit-flavour=trace -passes=culprit-prepare %t.other.ll -o %t.2.bc
// RUN: llvm-lto2 run %t.1.bc %t.2.bc -o %t.out -save-temps -load-pass-plugin=%plugin -r=%t.1.bc,main,px -r=%t.1.bc,first,p -r=%t.1.bc,second,p -r=%t.1.bc,third,p -r=%t.1.bc,fourth, -r=%t.2.bc,fourth,p -r=%t.2.bc,fifth,p -r=%t.2.bc,last,p
// RUN: llvm-dis %t.out.0.4.opt.bc -o - | FileCheck %s
// CHECK: @first = internal
// CHECK: @second = internal
// CHECK: @third = internal
// CHECK: @fourth = internal
// CHECK: @fifth = internal
#ifdef OTHER
int fourth[4] = {0};
int *fifth = 0;
int last(void) { return fifth[0] + fourth[1]; }
#else
extern int fourth[4];
int first[4] = {0};
int second = 0;
int *third = 0;
int main(int count, char **arguments) {
  third = &second;
  fourth[count] = 1;
  first[count] = *third + **arguments;
  return first[1] + second;
}
#endif
