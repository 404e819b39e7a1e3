; Ids of arguments and results are parameters and results of a function that only we call, by its name, as far as it asks
; for them. All others go through slots, and a function that somebody else may call looks whether they are meant for it.
; What comes out of unseen code is a definition.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"trace"}
declare i32 @getc(ptr)
declare ptr @malloc(i64)
declare void @qsort(ptr, i64, i64, ptr)
; CHECK-LABEL: define internal { i32, i64 } @ours(i32 %a, i32 %b, i64 %0)
; CHECK-NOT: @__culprit
; CHECK: %[[VALUE:.*]] = insertvalue { i32, i64 } poison, i32 %b, 0
; CHECK-NEXT: %[[BOTH:.*]] = insertvalue { i32, i64 } %[[VALUE]], i64 %0, 1
; CHECK-NEXT: ret { i32, i64 } %[[BOTH]]
define internal i32 @ours(i32 %a, i32 %b) {
  ret i32 %b
}
; CHECK-LABEL: define i32 @open(
; CHECK: %[[MEANT:.*]] = load ptr, ptr @__culprit_callee
; CHECK-NEXT: %[[FOR_US:.*]] = icmp eq ptr %[[MEANT]], @open
; CHECK-NEXT: %[[SLOT:.*]] = load i64, ptr @__culprit_argument_ids
; CHECK-NEXT: select i1 %[[FOR_US]], i64 %[[SLOT]], i64 0
; A constant that is handed on is a definition.
; CHECK: %[[THREE:.*]] = or i64 %{{.*}}, 1
; CHECK-NEXT: %[[BOTH:.*]] = call { i32, i64 } @ours(i32 %a, i32 3, i64 %[[THREE]])
; CHECK-NEXT: %[[R:.*]] = extractvalue { i32, i64 } %[[BOTH]], 0
; CHECK-NEXT: %[[ID:.*]] = extractvalue { i32, i64 } %[[BOTH]], 1
; CHECK-NEXT: store i64 %[[ID]], ptr @__culprit_result_id
; CHECK-NEXT: ret i32 %[[R]]
define i32 @open(i32 %a) {
  %r = call i32 @ours(i32 %a, i32 3)
  ret i32 %r
}
; CHECK-LABEL: define i32 @by_name(
; CHECK: store ptr @open, ptr @__culprit_callee
; CHECK-NEXT: %r = call i32 @open(i32 %a)
; CHECK-NEXT: load i64, ptr @__culprit_result_id
define i32 @by_name(i32 %a) {
  %r = call i32 @open(i32 %a)
  ret i32 %r
}
; CHECK-LABEL: define i32 @by_pointer(
; CHECK: store volatile i32 1, ptr @__culprit_place
; CHECK-NEXT: store volatile i64 %{{.*}}, ptr @__culprit_leaves
; CHECK-NEXT: store i64 0, ptr @__culprit_result_id
; CHECK-NEXT: store i64 %{{.*}}, ptr @__culprit_argument_ids
; CHECK-NEXT: store ptr %f, ptr @__culprit_callee
; CHECK-NEXT: %r = call i32 %f(i32 %a)
; CHECK-NEXT: %[[ID:.*]] = load i64, ptr @__culprit_result_id
; CHECK-NEXT: %[[QUIET:.*]] = icmp eq i64 %[[ID]], 0
; CHECK-NEXT: br i1 %[[QUIET]]
; CHECK: %[[MADE:.*]] = or i64 %{{.*}}, 2
; CHECK: phi i64 [ %[[ID]], %0 ], [ %[[MADE]]
define i32 @by_pointer(ptr %f, i32 %a) {
  %r = call i32 %f(i32 %a)
  ret i32 %r
}
; CHECK-LABEL: define i32 @unseen(
; CHECK: store ptr null, ptr @__culprit_callee
; CHECK-NEXT: %r = call i32 @getc(ptr %f)
; CHECK: %[[ID:.*]] = or i64 %{{.*}}, 3
; CHECK-NEXT: store i64 %[[ID]], ptr @__culprit_result_id
define i32 @unseen(ptr %f) {
  %r = call i32 @getc(ptr %f)
  ret i32 %r
}
; CHECK-LABEL: define ptr @allocates(
; CHECK: %[[ID:.*]] = or i64 %{{.*}}, 4
; CHECK: store i64 %[[ID]], ptr @__culprit_allocation_id
; CHECK-NEXT: %r = call ptr @malloc(i64 %n)
; CHECK-NEXT: store i64 %[[ID]], ptr @__culprit_result_id
define ptr @allocates(i64 %n) {
  %r = call ptr @malloc(i64 %n)
  ret ptr %r
}
; What qsort moves is not defined by the call: the elements' ids go along, during the sort already.
; CHECK-LABEL: @sorted(
; CHECK: store i64 %{{.*}}, ptr @__culprit_allocation_id
; CHECK-NEXT: call void @__culprit_sort(ptr %p, i64 %n, i64 8, ptr @open)
; CHECK-NOT: @__culprit_define
; CHECK: ret void
define void @sorted(ptr %p, i64 %n) {
  call void @qsort(ptr %p, i64 %n, i64 8, ptr @open)
  ret void
}
