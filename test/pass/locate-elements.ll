; An address of an element may be another's than was meant. A pointer read there that nothing has written since the
; program began has the id of its address; what a copy writes outside of its variable has the id of the copy.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"trace"}
@bins = global [16 x ptr] zeroinitializer
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @keep(ptr)
; CHECK-LABEL: define ptr @element(
; CHECK: %[[I:.*]] = select i1 %{{.*}}, i64 %{{.*}}, i64 0
; CHECK: %[[ID:.*]] = call i64 @llvm.umax.i64(
; CHECK-NEXT: %[[INITIAL:.*]] = icmp ule i64 %[[ID]], 1
; CHECK-NEXT: br i1 %[[INITIAL]], label %[[LOOKS:.*]], label %{{.*}}, !prof
; CHECK: [[LOOKS]]:
; CHECK-NEXT: %[[EITHER:.*]] = call i64 @llvm.umax.i64(i64 %[[ID]], i64 %[[I]])
; CHECK: %[[READ:.*]] = phi i64 [ %[[ID]], %{{.*}} ], [ %[[EITHER]], %[[LOOKS]] ]
; CHECK: store i64 %[[READ]], ptr @__culprit_result_id
define ptr @element(i64 %i) {
  %a = getelementptr [16 x ptr], ptr @bins, i64 0, i64 %i
  %v = load ptr, ptr %a
  ret ptr %v
}
; A fixed place is what it is.
; CHECK-LABEL: define ptr @fixed(
; CHECK-NOT: icmp ule
; CHECK: ret ptr
define ptr @fixed() {
  %v = load ptr, ptr @bins
  ret ptr %v
}
; CHECK-LABEL: define void @room(
; CHECK: call void @llvm.memcpy
; CHECK: %[[OFFSET:.*]] = sub i64
; CHECK-NEXT: %[[FROM:.*]] = call i64 @llvm.umin.i64(i64 %[[OFFSET]], i64 16)
; CHECK-NEXT: %[[ROOM:.*]] = sub i64 16, %[[FROM]]
; CHECK-NEXT: %[[INSIDE:.*]] = call i64 @llvm.umin.i64(i64 %[[ROOM]], i64 %n)
; CHECK-NEXT: call void @__culprit_copy_ids(ptr %{{.*}}, ptr %from, i64 %[[INSIDE]], i64 %[[ID:.*]])
; CHECK: call void @__culprit_define(ptr %{{.*}}, i64 %{{.*}}, i64 %[[ID]])
define void @room(ptr %from, i64 %n) {
  %word = alloca [16 x i8], align 16
  call void @keep(ptr %word)
  call void @llvm.memcpy.p0.p0.i64(ptr %word, ptr %from, i64 %n, i1 false)
  ret void
}
; A small one is copied where it is, and looked at if the last cell is nobody's.
; CHECK-LABEL: define void @row(
; CHECK: %[[LAST:.*]] = load i64, ptr %{{.*}}, align 8
; CHECK-NEXT: %[[ASTRAY:.*]] = icmp eq i64 %[[LAST]], 0
; CHECK: call void @llvm.memcpy
; CHECK: call void @llvm.memmove
; CHECK-NEXT: br i1 %[[ASTRAY]], label %[[COLD:.*]], label %{{.*}}, !prof
; CHECK: [[COLD]]:
; CHECK-NEXT: call void @__culprit_copy_ids(
define void @row(ptr %rows, i64 %i, ptr %one) {
  %a = getelementptr [3 x i32], ptr %rows, i64 %i
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 %one, i64 12, i1 false)
  ret void
}
