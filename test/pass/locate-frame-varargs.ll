; Ids of variadic arguments travel in the shape of the memory that the callee takes them from.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-variadic-ids,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_copy.p0(ptr, ptr)

; The second register and the first vector register; the fixed argument has slot 0 and register 0.
; CHECK-LABEL: define void @calls(
; CHECK-NEXT: store i64 0, ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 1)
; CHECK-NEXT: store i64 2, ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 2)
; CHECK-NEXT: store i64 4, ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 3)
; CHECK-NEXT: store i64 0, ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 4)
; CHECK: store i64 3, ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 7)
; CHECK-NEXT: store i64 0, ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 8)
; CHECK: store i64 0, ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 15)
; CHECK-NEXT: call void (i32, ...) @sums(
define void @calls(ptr %p) {
  call void (i32, ...) @sums(i32 3, i64 7, double 1.0, ptr %p)
  ret void
}

; Two registers for 128 bits; on the stack: a long double in two words, a struct without ids, an int.
; CHECK-LABEL: define void @calls_more(
; CHECK: store i64 3, ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 2)
; CHECK-NEXT: store i64 3, ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 3)
; CHECK-NEXT: store i64 5, ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 4)
; CHECK-NEXT: store i64 6, ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 5)
; CHECK-NEXT: store i64 7, ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 6)
; CHECK: store i64 6, ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 15)
; CHECK-NEXT: store i64 2, ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 16)
; CHECK-NEXT: store i64 2, ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 17)
; CHECK-NEXT: store i64 0, ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 18)
; CHECK-NEXT: store i64 0, ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 19)
; CHECK-NEXT: store i64 0, ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 20)
; CHECK-NEXT: store i64 8, ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 21)
; CHECK-NEXT: call void (i32, ...) @sums(
define void @calls_more(ptr %p) {
  call void (i32, ...) @sums(i32 3, x86_fp80 0xK0, i128 7, ptr byval([3 x i64]) align 8 %p, i32 1, i32 2, ptr %p, i32 4)
  ret void
}

; At entry, before anything else uses the slots.
; CHECK-LABEL: define void @sums(
; CHECK-NEXT: %[[LIST:.*]] = alloca i64, i64 3
; CHECK-NEXT: call void @llvm.va_start.p0(ptr %[[LIST]])
; CHECK-NEXT: %[[C:.*]] = load ptr, ptr @__culprit_callee
; CHECK-NEXT: %[[OURS:.*]] = icmp eq ptr %[[C]], @sums
; CHECK-NEXT: %[[S:.*]] = select i1 %[[OURS]], ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 1), ptr @culprit.no_ids
; CHECK-NEXT: call void @culprit.receive_variadic(ptr %[[LIST]], ptr %[[S]])
; CHECK: call void @llvm.va_start.p0(ptr %list)
; CHECK-NEXT: call void @__culprit_define(ptr %list, i64 24, i64 0)
; CHECK-NEXT: call void @llvm.va_copy.p0(ptr %other, ptr %list)
; CHECK-NEXT: call void @__culprit_copy_ids(ptr %other, ptr %list, i64 24, i64 0)
define void @sums(i32 %n, ...) {
  %list = alloca [24 x i8], align 16
  %other = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  call void @llvm.va_copy.p0(ptr %other, ptr %list)
  ret void
}
