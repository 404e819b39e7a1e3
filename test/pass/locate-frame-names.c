// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang-format off
// Variables in a frame have their names whichever way the debug information says where they are, also those that are no
// definition: parameters, by value or not.
// RUN: clang -g -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: sed -i '$a !culprit.flavour = !{!99999}' %t.ll
// RUN: sed -i '$a !99999 = !{!"reorder"}' %t.ll
// RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' %t.ll -o %t.bc
// RUN: clang -c -x ir %t.bc -o %t.o -Wno-override-module
// RUN: %tables %t.o frames | FileCheck %s
// RUN: opt -load-pass-plugin=%plugin -passes='module(function(declare-to-assign),culprit-locate,verify)' %t.ll -o %t.bc
// RUN: clang -c -x ir %t.bc -o %t.o -Wno-override-module
// RUN: %tables %t.o frames | FileCheck %s
struct box { long corners[8]; };
void use(void *);
// CHECK: frames[0] measure: box/64 depth/4 line/24
void measure(struct box box, int depth) {
  char line[24];
  use(&box);
  use(&depth);
  use(line);
}
