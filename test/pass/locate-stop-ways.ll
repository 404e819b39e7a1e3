; Several branches lead to a call that does not return: the place that is shown there is that of the
; way which was taken, with the leaves of the branches that decided.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"trace"}
declare void @fail() noreturn
declare i64 @llvm.expect.i64(i64, i64)

; a && b: one part decides. Places 1 and 2 are the loads, 3 and 4 the ways, 5 what is not known.
; CHECK-LABEL: define void @both(
; CHECK: store i64 %{{.*}}, ptr %[[FIRST:.*]], align
; CHECK: store i64 %{{.*}}, ptr %[[SECOND:.*]], align
; CHECK: stop:
; CHECK-NEXT: %[[WAY:.*]] = phi i32 [ 4, %more ], [ 3, %0 ]
; CHECK: icmp eq i32 %[[WAY]], 3
; CHECK: load i64, ptr %[[FIRST]]
; CHECK: icmp eq i32 %[[WAY]], 4
; CHECK: load i64, ptr %[[SECOND]]
; CHECK: store volatile i32 %[[WAY]], ptr @__culprit_place
; CHECK: call void @fail()
define void @both(ptr %p, ptr %q) {
  %a = load i32, ptr %p, align 4
  %is_a = icmp ne i32 %a, 0
  br i1 %is_a, label %more, label %stop
more:
  %b = load i32, ptr %q, align 4
  %is_b = icmp ne i32 %b, 0
  br i1 %is_b, label %end, label %stop
stop:
  call void @fail()
  unreachable
end:
  ret void
}

; a || b: both decide, and there is one way only.
; CHECK-LABEL: define void @either(
; CHECK: stop:
; CHECK: store volatile i32 8, ptr @__culprit_place
; CHECK-NEXT: store volatile i64 %{{.*}}, ptr @__culprit_leaves
; CHECK-NEXT: store volatile i64 %{{.*}}, ptr getelementptr (i64, ptr @__culprit_leaves, i64 1)
; CHECK-NEXT: call void @fail()
define void @either(ptr %p, ptr %q) {
  %a = load i32, ptr %p, align 4
  %is_a = icmp ne i32 %a, 0
  br i1 %is_a, label %end, label %more
more:
  %b = load i32, ptr %q, align 4
  %is_b = icmp ne i32 %b, 0
  br i1 %is_b, label %end, label %stop
stop:
  call void @fail()
  unreachable
end:
  ret void
}

; a && b || c: either part of the first half decides together with c.
; CHECK-LABEL: define void @mixed(
; CHECK: last:
; CHECK-NEXT: %[[HALF:.*]] = phi i32 [ [[B:[0-9]+]], %more ], [ [[A:[0-9]+]], %0 ]
; CHECK: stop:
; CHECK-NEXT: phi i32 [ %[[HALF]], %last ]
define void @mixed(ptr %p, ptr %q, ptr %r) {
  %a = load i32, ptr %p, align 4
  %is_a = icmp ne i32 %a, 0
  br i1 %is_a, label %more, label %last
more:
  %b = load i32, ptr %q, align 4
  %is_b = icmp ne i32 %b, 0
  br i1 %is_b, label %end, label %last
last:
  %c = load i32, ptr %r, align 4
  %is_c = icmp ne i32 %c, 0
  br i1 %is_c, label %end, label %stop
stop:
  call void @fail()
  unreachable
end:
  ret void
}

; A truth value that is branched by at once is no value but branches.
; CHECK-LABEL: define void @value(
; CHECK-NOT: phi i1
; CHECK: br i1 %is_a, label %more, label %stop
; CHECK: stop:
; CHECK-NEXT: phi i32 [ {{[0-9]+}}, %0 ], [ {{[0-9]+}}, %more ]
define void @value(ptr %p, ptr %q) {
  %a = load i32, ptr %p, align 4
  %is_a = icmp ne i32 %a, 0
  br i1 %is_a, label %more, label %known
more:
  %b = load i32, ptr %q, align 4
  %is_b = icmp ne i32 %b, 0
  br label %known
known:
  %truth = phi i1 [ false, %0 ], [ %is_b, %more ]
  %wide = zext i1 %truth to i64
  %expected = call i64 @llvm.expect.i64(i64 %wide, i64 1)
  %is = icmp ne i64 %expected, 0
  br i1 %is, label %end, label %stop
stop:
  call void @fail()
  unreachable
end:
  ret void
}

; One that is handed on has the id of the condition that it was known by.
; CHECK-LABEL: define i1 @handed(
; CHECK: known:
; CHECK-NEXT: phi i64 [ %{{[0-9]+}}, %0 ], [ %{{[0-9]+}}, %more ]
define i1 @handed(ptr %p, ptr %q) {
  %a = load i32, ptr %p, align 4
  %is_a = icmp ne i32 %a, 0
  br i1 %is_a, label %more, label %known
more:
  %b = load i32, ptr %q, align 4
  %is_b = icmp ne i32 %b, 0
  br label %known
known:
  %truth = phi i1 [ false, %0 ], [ %is_b, %more ]
  ret i1 %truth
}
