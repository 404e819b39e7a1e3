; Checks that are left out because they cannot say anything new, each beside one that must stay.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S %s | FileCheck %s
; RUN: sed 's/"access"/"access-count"/' %s | opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S | FileCheck --check-prefix=COUNT %s
; RUN: sed 's/void @other/void @__culprit_watch_on/' %s | opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S | FileCheck --check-prefix=WATCH %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!culprit.main = !{!1}
!0 = !{!"access"}
!1 = !{}
@number = global i64 0
@table = global [8 x i64] zeroinitializer
@per_thread = thread_local global i64 0
@handler = global ptr null
declare void @other()
declare void @use(ptr)
declare void @free(ptr)
declare ptr @malloc(i64)
declare i64 @strlen(ptr)
declare ptr @llvm.threadlocal.address.p0(ptr)

; CHECK-LABEL: define void @direct(
; CHECK-NOT: culprit_access
; CHECK: ret void
; COUNT-LABEL: define void @direct(
; COUNT-COUNT-3: @__culprit_access(
; COUNT: ret void
; WATCH-LABEL: define void @direct(
; WATCH-COUNT-3: @__culprit_access(
; WATCH: ret void
define void @direct() {
  store i64 1, ptr @number
  store i64 1, ptr getelementptr (i8, ptr @table, i64 56)
  %t = call ptr @llvm.threadlocal.address.p0(ptr @per_thread)
  store i64 1, ptr %t
  ret void
}
; CHECK-LABEL: define void @not_direct(
; CHECK-COUNT-3: @__culprit_access(
; CHECK: ret void
define void @not_direct(i64 %i) {
  %p = getelementptr i64, ptr @table, i64 %i
  store i64 1, ptr %p
  store i64 1, ptr getelementptr (i8, ptr @table, i64 60), align 4 ; its last bytes lie outside
  ret void
}
; An index that cannot leave the variable, and two that can.
; CHECK-LABEL: define void @inside(
; CHECK-NOT: culprit_access
; CHECK: ret void
; COUNT-LABEL: define void @inside(
; COUNT: @__culprit_access(
; COUNT: ret void
define void @inside(i64 %i) {
  %n = and i64 %i, 7
  %p = getelementptr i64, ptr @table, i64 %n
  store i64 1, ptr %p
  ret void
}
; CHECK-LABEL: define void @partly_inside(
; CHECK-COUNT-2: @__culprit_access(
; CHECK: ret void
define void @partly_inside(i64 %i, i8 %j) {
  %n = and i64 %i, 15
  %p = getelementptr i64, ptr @table, i64 %n
  store i64 1, ptr %p
  call void @free(ptr null)
  %m = sext i8 %j to i64
  %l = and i64 %m, 7
  %k = sub i64 %l, 1
  %q = getelementptr i64, ptr @table, i64 %k
  store i64 1, ptr %q
  ret void
}
; CHECK-LABEL: define void @safe_local(
; CHECK-NOT: culprit_access
; CHECK: ret void
; COUNT-LABEL: define void @safe_local(
; COUNT-NOT: culprit_access
; COUNT: ret void
; WATCH-LABEL: define void @safe_local(
; WATCH-NOT: culprit_access
; WATCH: ret void
define void @safe_local(i64 %i) {
  %a = alloca [8 x i64]
  %n = and i64 %i, 7
  %p = getelementptr [8 x i64], ptr %a, i64 0, i64 %n
  store i64 1, ptr %p
  ret void
}
; The same, but others may write it too: counted in training.
; CHECK-LABEL: define void @shared_local(
; CHECK-NOT: culprit_access
; CHECK: ret void
; COUNT-LABEL: define void @shared_local(
; COUNT: @__culprit_access(
define void @shared_local(i64 %i) {
  %a = alloca [8 x i64]
  %n = and i64 %i, 7
  %p = getelementptr [8 x i64], ptr %a, i64 0, i64 %n
  call void @use(ptr %a)
  store i64 1, ptr %p
  ret void
}
; CHECK-LABEL: define void @unsafe_local(
; CHECK: @__culprit_access(ptr %p
define void @unsafe_local(i64 %i) {
  %a = alloca [8 x i64]
  %p = getelementptr [8 x i64], ptr %a, i64 0, i64 %i
  store i64 1, ptr %p
  ret void
}
; The first and the last of a stretch.
; CHECK-LABEL: define void @members(
; CHECK-NOT: culprit_access
; CHECK: store i64 2
; CHECK-NOT: culprit_access
; CHECK: @__culprit_access(ptr %p,
; CHECK: store i64 0
; CHECK-NOT: culprit_access
; CHECK: @__culprit_access(ptr %p3,
; CHECK: store i64 3
; CHECK-NOT: culprit_access
; CHECK: ret void
; COUNT-LABEL: define void @members(
; COUNT-COUNT-4: @__culprit_access(
; WATCH-LABEL: define void @members(
; WATCH-COUNT-4: @__culprit_access(
define void @members(ptr %p) {
  %p1 = getelementptr i8, ptr %p, i64 8
  %p2 = getelementptr i8, ptr %p, i64 16
  %p3 = getelementptr i8, ptr %p, i64 24
  store i64 2, ptr %p2
  store i64 0, ptr %p
  store i64 3, ptr %p3
  store i64 1, ptr %p1
  ret void
}
; CHECK-LABEL: define void @twice(
; CHECK-COUNT-1: @__culprit_access(
; CHECK-NOT: culprit_access
; CHECK: ret void
define void @twice(ptr %p) {
  store i64 2, ptr %p
  store i64 3, ptr %p
  ret void
}
; CHECK-LABEL: define void @freed_between(
; CHECK-COUNT-2: @__culprit_access(
; CHECK: ret void
define void @freed_between(ptr %p) {
  store i64 2, ptr %p
  call void @free(ptr %p)
  store i64 3, ptr %p
  ret void
}
define void @frees(ptr %p) noinline {
  call void @free(ptr %p)
  ret void
}
; CHECK-LABEL: define void @freed_by_another(
; CHECK-COUNT-2: @__culprit_access(
; CHECK: ret void
define void @freed_by_another(ptr %p) {
  store i64 2, ptr %p
  call void @frees(ptr %p)
  store i64 3, ptr %p
  ret void
}
define i64 @frees_nothing(ptr %p) noinline {
  %n = call i64 @strlen(ptr %p)
  ret i64 %n
}
; CHECK-LABEL: define void @not_freed(
; CHECK-COUNT-1: @__culprit_access(
; CHECK-NOT: culprit_access
; CHECK: ret void
define void @not_freed(ptr %p) {
  store i64 2, ptr %p
  %n = call i64 @frees_nothing(ptr %p)
  store i64 %n, ptr %p
  ret void
}
; CHECK-LABEL: define void @called_unknown(
; CHECK-COUNT-2: @__culprit_access(
define void @called_unknown(ptr %p) {
  store i64 2, ptr %p
  %h = load ptr, ptr @handler
  call void %h()
  store i64 3, ptr %p
  ret void
}
; Behind a condition of both, and under a condition of its own.
; CHECK-LABEL: define void @joined(
; CHECK: @__culprit_access(ptr %p,
; CHECK: yes:
; CHECK: @__culprit_access(ptr %p,
; CHECK: store i64 3
; CHECK: no:
; CHECK-NOT: culprit_access
; CHECK: ret void
define void @joined(ptr %p, i1 %c) {
entry:
  store i64 2, ptr %p
  br i1 %c, label %yes, label %no
yes:
  store i64 3, ptr %p
  br label %no
no:
  store i64 4, ptr %p
  ret void
}
; CHECK-LABEL: define void @freed_on_one_way(
; CHECK: no:
; CHECK: @__culprit_access(ptr %p,
; CHECK: store i64 4
define void @freed_on_one_way(ptr %p, i1 %c) {
entry:
  store i64 2, ptr %p
  br i1 %c, label %yes, label %no
yes:
  call void @free(ptr %p)
  br label %no
no:
  store i64 4, ptr %p
  ret void
}
; After a loop only the last element is written: that is another set of objects.
; CHECK-LABEL: define void @last_of_many(
; CHECK: end:
; CHECK: @__culprit_access(ptr %p,
define void @last_of_many(ptr %start, ptr %stop) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %start, %entry ], [ %next, %loop ]
  store i64 2, ptr %p
  %next = getelementptr i8, ptr %p, i64 24
  %c = icmp eq ptr %next, %stop
  br i1 %c, label %end, label %loop
end:
  store i64 4, ptr %p
  ret void
}
; CHECK-LABEL: define ptr @new_block(
; CHECK-NOT: culprit_access
; CHECK: ret ptr
; COUNT-LABEL: define ptr @new_block(
; COUNT-COUNT-2: @__culprit_access(
define ptr @new_block(i1 %c) {
entry:
  %p = call ptr @malloc(i64 24)
  store i64 1, ptr %p
  br i1 %c, label %yes, label %no
yes:
  %p2 = getelementptr i8, ptr %p, i64 16
  store i64 2, ptr %p2
  br label %no
no:
  ret ptr %p
}
; CHECK-LABEL: define ptr @beyond_new_block(
; CHECK: @__culprit_access(ptr %p2,
; CHECK: call void @free
; CHECK: @__culprit_access(ptr %p,
define ptr @beyond_new_block() {
  %p = call ptr @malloc(i64 24)
  %p2 = getelementptr i8, ptr %p, i64 24
  store i64 2, ptr %p2
  call void @free(ptr %p)
  store i64 1, ptr %p
  ret ptr %p
}
