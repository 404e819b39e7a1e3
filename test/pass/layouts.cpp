// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang-format off
// The members of types: nested structs and base classes are taken apart, what overlaps is one member, arrays fold.
// RUN: clang++ -g -O1 -c %s -o %t.o -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -mllvm -culprit-flavour=access -mllvm -culprit-alone
// RUN: %tables %t.o layouts variables | FileCheck %s
// RUN: clang++ -g -O1 -S -emit-llvm %s -o - -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -mllvm -culprit-flavour=access -mllvm -culprit-alone | FileCheck --check-prefix=IR %s

struct Inner { short key; char text[6]; };

// CHECK-DAG: Plain size=40: i@0 name@4[] next@16 in.key@24 in.text@26[] d@32
struct Plain { const int i; char name[9]; Plain *volatile next; Inner in; double d; };
Plain plain{};
// CHECK-DAG: name=plain size=40 type=Plain

// Elements of an inner array of structs are one member for each of theirs.
// CHECK-DAG: Table size=56: n@0 cells[].key@4[] cells[].text@6[] end@52
// IR-DAG: [[STARTS:@culprit.starts.*]] = internal constant [14 x i32] [i32 0, i32 4, i32 6, i32 12, i32 14, i32 20, i32 22, i32 28, i32 30, i32 36, i32 38, i32 44, i32 46, i32 52]
// IR-DAG: [[MEMBERS:@culprit.members.*]] = internal constant [14 x i32] [i32 0, i32 1, i32 2, i32 1, i32 2, i32 1, i32 2, i32 1, i32 2, i32 1, i32 2, i32 1, i32 2, i32 3]
// IR-DAG: @culprit.layouts = {{.*}} { i32 56, i32 14, i32 4, i32 0, ptr [[STARTS]], ptr [[MEMBERS]] }
struct Table { int n; Inner cells[2][3]; int end; };
Table table{};

// CHECK-DAG: Either size=24: tag@0 number|text|real@8 named@16
union Named { int i; char c[4]; };
struct Either { int tag; union { long number; char text[8]; struct { double real; }; }; Named named; };
Either either{};

// CHECK-DAG: Bits size=12: a|b@0 c@4 far|near@8
struct Bits { unsigned a : 24, b : 8; int c; unsigned far : 5, near : 6; };
Bits bits{};

// Two bases have members of the same name; an empty one has none.
struct Empty {};
struct Left { int id; int left; };
struct Right { int id; virtual void f(); long right; };
void Right::f() {}
// CHECK-DAG: Derived size=48: _vptr$Right@0 Right::id@8 right@16 Left::id@24 left@28 own@32[] last@40
struct Derived : Left, Empty, Right { char own[4]; void *last; };
Derived derived;

// What is behind it belongs to the last member, also as old C writes it.
// CHECK-DAG: Flexible size=4 rest=2: n@0 data@4[]
struct Flexible { int n; char data[]; };
Flexible flexible{};
// CHECK-DAG: Old size=16 rest=3: p@0 n@8 data@12[]
struct Old { void *p; int n; char data[1]; };
Old old{};

// An array of structs repeats their layout; a type of one scalar or array, or a union, has none.
// CHECK-DAG: name=many size=80 type=Inner[]
Inner many[10];
// CHECK-DAG: layouts[{{[0-9]+}}] Inner size=8: key@0 text@2[]
struct Single { int only[4]; };
// CHECK-DAG: {{^}}variables[{{[0-9]+}}] kind=global line={{[0-9]+}} name=single size=16 type=Single{{$}}
Single single{};
// CHECK-DAG: {{^}}variables[{{[0-9]+}}] kind=global line={{[0-9]+}} name=named size=4 type=Named{{$}}
Named named{};
// CHECK-DAG: {{^}}variables[{{[0-9]+}}] kind=global line={{[0-9]+}} name=huge size=8004 type=Huge{{$}}
struct Huge { int n; char text[8000]; };
Huge huge{};

// Too many ranges: the array is one member.
// CHECK-DAG: Crowded size=4004: n@0 pairs@4[]
struct Pair { char a, b; };
struct Crowded { int n; Pair pairs[2000]; };
Crowded crowded{};
