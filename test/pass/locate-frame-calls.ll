; The whole pass: what travels with a call of a variadic function and with a struct passed by value, and who comes first at entry.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
; RUN: sed 's/"trace"/"suppress"/' %s | opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!culprit.main = !{!1}
!0 = !{!"trace"}
!1 = !{}
declare void @llvm.va_start.p0(ptr)
declare void @use(ptr)

; The fixed argument has slot 0 and the first register, the variadic one the second register: slot 1 + 1.
; CHECK-LABEL: define void @calls(
; CHECK: store i64 %[[N:.*]], ptr @__culprit_argument_ids
; CHECK: store i64 %[[M:.*]], ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 2)
; CHECK: store ptr @takes, ptr @__culprit_callee
; CHECK: call void (i32, ...) @takes(i32 %n, i64 %m)
; In the suppress flavour, a pointer that is corrupt is replaced.
; CHECK: %[[FROM:.*]] = ptrtoint ptr %{{.*}} to i64
; CHECK: store i64 %[[FROM]], ptr @__culprit_argument_ids
; CHECK: call void @copied(ptr byval([3 x i64]) align 8 %{{.*}})
define void @calls(i32 %n, i64 %m, ptr %p) {
  call void (i32, ...) @takes(i32 %n, i64 %m)
  call void @copied(ptr byval([3 x i64]) align 8 %p)
  ret void
}

; The frame, then the ids, before anybody else uses the slots.
; CHECK-LABEL: define void @takes(
; CHECK-NEXT: %culprit.top = load ptr, ptr @__culprit_data_stack
; CHECK-NOT: call void @__culprit
; CHECK: call void @culprit.receive_variadic(
; CHECK: call void @llvm.va_start.p0(ptr %list.moved)
; CHECK-NEXT: call void @__culprit_define(ptr %list.moved, i64 24, i64 0)
define void @takes(i32 %n, ...) {
  %list = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  ret void
}

; CHECK-LABEL: define void @copied(
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 8 %s.moved, ptr align 8 %s, i64 24, i1 false)
; CHECK: call void @llvm.memmove.p0.p0.i64(ptr align 8 %{{.*}}, ptr align 8 %{{.*}}, i64 48, i1 false)
; CHECK: call void @use(ptr %s.moved)
define void @copied(ptr byval([3 x i64]) align 8 %s) {
  call void @use(ptr %s)
  ret void
}
