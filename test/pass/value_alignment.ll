; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What is given by value has the alignment of its type before it is copied, which the inliner would forget; the copy may
; have more. Nothing is said where it is known, where the type asks for none, and in flavours without access sets.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-prepare' -culprit-flavour=access-reads -S %s | FileCheck %s
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-prepare' -culprit-flavour=monitor -S %s | FileCheck --check-prefix=HEAP %s
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-prepare,default<O2>' -culprit-flavour=access-reads -S %s | FileCheck --check-prefix=INLINED %s
%vector = type { double, double, double }
%floats = type { float, float, float, float, float, float }
%packed = type <{ i8, i64, i64 }>

; HEAP-NOT: llvm.assume

; CHECK-LABEL: define double @doubles(
; CHECK: call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 8) ]
; CHECK-NEXT: call double @first(
; INLINED-LABEL: define {{.*}}double @doubles(
; INLINED: load double, ptr %p, align 8
define double @doubles(ptr %p) {
  %r = call double @first(ptr byval(%vector) align 8 %p)
  ret double %r
}

; CHECK-LABEL: define double @floats(
; CHECK: call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 4) ]
define double @floats(ptr %p) {
  %r = call double @first(ptr byval(%floats) align 8 %p)
  ret double %r
}

; CHECK-LABEL: define double @packed(
; CHECK-NOT: llvm.assume
; CHECK: ret
define double @packed(ptr %p) {
  %r = call double @first(ptr byval(%packed) align 8 %p)
  ret double %r
}

; CHECK-LABEL: define double @known(
; CHECK-NOT: llvm.assume
; CHECK: ret
define double @known() {
  %p = alloca %vector, align 16
  %r = call double @first(ptr byval(%vector) align 8 %p)
  ret double %r
}

define internal double @first(ptr byval(%vector) align 8 %v) {
  %r = load double, ptr %v, align 8
  ret double %r
}
