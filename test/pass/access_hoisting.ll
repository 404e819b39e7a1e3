; Checks moved out of loops, each beside one that must stay.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S %s | FileCheck %s
; RUN: sed 's/"access"/"access-count"/' %s | opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S | FileCheck --check-prefix=COUNT %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!culprit.main = !{!1}
!0 = !{!"access"}
!1 = !{}
declare void @free(ptr)
declare void @mystery()
declare i64 @strlen(ptr) willreturn nounwind

; CHECK-LABEL: define void @fixed(
; CHECK: @__culprit_access(ptr %p,
; CHECK: loop:
; CHECK-NOT: culprit_access
; CHECK: ret void
; COUNT-LABEL: define void @fixed(
; COUNT: loop:
; COUNT: @__culprit_access(ptr %p,
define void @fixed(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  store atomic i64 %i, ptr %p monotonic, align 8
  %next = add nuw i64 %i, 1
  %c = icmp eq i64 %next, %n
  br i1 %c, label %end, label %loop
end:
  ret void
}
; Out of two loops, to a block of its own: the guard leads past the loop.
; CHECK-LABEL: define void @nested(
; CHECK: entry:
; CHECK: br i1 %any, label %[[BEFORE:.*]], label %end
; CHECK: [[BEFORE]]:
; CHECK: @__culprit_access(ptr %
; CHECK: outer:
; CHECK-NOT: culprit_access
; CHECK: ret void
define void @nested(ptr %p, i64 %n, i1 %any) {
entry:
  br i1 %any, label %outer, label %end
outer:
  %j = phi i64 [ 0, %entry ], [ %jnext, %after ]
  br label %loop
loop:
  %i = phi i64 [ 0, %outer ], [ %next, %loop ]
  %q = getelementptr i8, ptr %p, i64 8
  store atomic i64 %i, ptr %q monotonic, align 8
  %next = add nuw i64 %i, 1
  %c = icmp eq i64 %next, %n
  br i1 %c, label %after, label %loop
after:
  %jnext = add nuw i64 %j, 1
  %d = icmp eq i64 %jnext, %n
  br i1 %d, label %end, label %outer
end:
  ret void
}
; CHECK-LABEL: define void @fixed_under_condition(
; CHECK: then:
; CHECK: @__culprit_access(ptr %p,
define void @fixed_under_condition(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %odd = trunc i64 %i to i1
  br i1 %odd, label %then, label %more
then:
  store atomic i64 %i, ptr %p monotonic, align 8
  br label %more
more:
  %next = add nuw i64 %i, 1
  %c = icmp eq i64 %next, %n
  br i1 %c, label %end, label %loop
end:
  ret void
}
; CHECK-LABEL: define void @fixed_and_freed(
; CHECK: loop:
; CHECK: @__culprit_access(ptr %p,
define void @fixed_and_freed(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  store atomic i64 %i, ptr %p monotonic, align 8
  call void @free(ptr %q)
  %next = add nuw i64 %i, 1
  %c = icmp eq i64 %next, %n
  br i1 %c, label %end, label %loop
end:
  ret void
}
; CHECK-LABEL: define void @forward(
; CHECK: %[[LENGTH:.*]] = shl i64 %n, 3
; CHECK: call void @__culprit_access_range(ptr %p, i64 %[[LENGTH]], i32 [[#]])
; CHECK: loop:
; CHECK-NOT: culprit_access
; CHECK: ret void
define void @forward(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i64, ptr %p, i64 %i
  store i64 %i, ptr %a, align 8
  %next = add nuw nsw i64 %i, 1
  %c = icmp eq i64 %next, %n
  br i1 %c, label %end, label %loop
end:
  ret void
}
; CHECK-LABEL: define void @backward(
; CHECK: %[[FIRST:.*]] = getelementptr i8, ptr %p, i64 -792
; CHECK: call void @__culprit_access_range(ptr %[[FIRST]], i64 800, i32 [[#]])
; CHECK: loop:
; CHECK-NOT: culprit_access
; CHECK: ret void
define void @backward(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %m = sub nsw i64 0, %i
  %a = getelementptr inbounds i64, ptr %p, i64 %m
  store i64 %i, ptr %a, align 8
  %next = add nuw nsw i64 %i, 1
  %c = icmp eq i64 %next, 100
  br i1 %c, label %end, label %loop
end:
  ret void
}
; Unrolled: both copies together leave no gap.
; CHECK-LABEL: define void @unrolled(
; CHECK: call void @__culprit_access_range(ptr %p, i64 800, i32 [[#]])
; CHECK: loop:
; CHECK-NOT: culprit_access
; CHECK: ret void
define void @unrolled(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i64, ptr %p, i64 %i
  %b = getelementptr i8, ptr %a, i64 8
  store i64 %i, ptr %a, align 8
  store i64 %i, ptr %b, align 8
  %next = add nuw nsw i64 %i, 2
  %c = icmp eq i64 %next, 100
  br i1 %c, label %end, label %loop
end:
  ret void
}
; Gaps are not written.
; CHECK-LABEL: define void @strided(
; CHECK: loop:
; CHECK: @__culprit_access(ptr %a,
define void @strided(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i64, ptr %p, i64 %i
  store i64 %i, ptr %a, align 8
  %next = add nuw nsw i64 %i, 2
  %c = icmp eq i64 %next, 100
  br i1 %c, label %end, label %loop
end:
  ret void
}
; Where it ends is found out on the way.
; CHECK-LABEL: define void @two_exits(
; CHECK: more:
; CHECK: @__culprit_access(ptr %a,
define void @two_exits(ptr %p, ptr %s) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %v = load volatile i64, ptr %s
  %stop = icmp eq i64 %v, 0
  br i1 %stop, label %end, label %more
more:
  %a = getelementptr i64, ptr %p, i64 %i
  store i64 %i, ptr %a, align 8
  %next = add nuw nsw i64 %i, 1
  %c = icmp eq i64 %next, 100
  br i1 %c, label %end, label %loop
end:
  ret void
}
; What is called may never come back.
; CHECK-LABEL: define void @may_end_early(
; CHECK: loop:
; CHECK: @__culprit_access(ptr %a,
define void @may_end_early(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i64, ptr %p, i64 %i
  store i64 %i, ptr %a, align 8
  call void @mystery()
  %next = add nuw nsw i64 %i, 1
  %c = icmp eq i64 %next, 100
  br i1 %c, label %end, label %loop
end:
  ret void
}
