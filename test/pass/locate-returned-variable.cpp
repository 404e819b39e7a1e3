// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang-format off
// A variable that lives where the caller wants the result is declared there, where its scope begins.
// RUN: clang -g -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: sed -i '$a !culprit.flavour = !{!99999}' %t.ll
// RUN: sed -i '$a !99999 = !{!"trace"}' %t.ll
// RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' %t.ll -o %t.bc
// RUN: opt -S %t.bc | FileCheck %s
// RUN: clang -c -x ir %t.bc -o %t.o -Wno-override-module
// RUN: %tables %t.o definitions | FileCheck %s --check-prefix=TABLES
struct Shape {
  double side;
  int corners;
  int colour;
  long weight;
};
void look(Shape *shape);
// TABLES: definitions[[[#]]] variable [[#@LINE+5]]:0 _Z4makeb variable=shape
// CHECK-LABEL: define dso_local void @_Z4makeb(
// CHECK: call void @__culprit_define(ptr %{{.*}}, i64 24, i64 [[#]])
// CHECK: call void @_Z4lookP5Shape(
Shape make(bool square) {
  Shape shape;
  look(&shape);
  if (square)
    shape.corners = 4;
  return shape;
}
// A result without a name is nobody's.
// CHECK-LABEL: define dso_local void @_Z4noneb(
// CHECK-NOT: call void @__culprit_define
// CHECK: ret void
Shape none(bool) { return Shape{1, 2, 3, 4}; }
