; Accesses at one address in every round of a loop that need not happen: one check for all rounds, beside those that keep
; theirs.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S %s | FileCheck %s
; RUN: sed 's/"access-reads"/"access-reads-count"/' %s | opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S | FileCheck --check-prefix=COUNT %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!culprit.main = !{!1}
!0 = !{!"access-reads"}
!1 = !{}
declare void @free(ptr)
declare void @use(i64) memory(none)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)

; Two members, together: one flag, which is set behind both checks and stays so from round to round.
; CHECK-LABEL: define void @members(
; CHECK: loop:
; CHECK: %[[FLAG:[a-z0-9.]+]] = phi i1 [ false, %entry ], [ %[[NEXT:[a-z0-9.]+]], %latch ]
; CHECK: again:
; CHECK: %[[NOT:[0-9]+]] = xor i1 %[[FLAG]], true
; CHECK-NEXT: br i1 %[[NOT]], label %[[CHECKS:[0-9]+]], label %[[DONE:[0-9]+]], !prof
; CHECK: [[CHECKS]]:
; CHECK: call preserve_allcc void @__culprit_access(
; CHECK: getelementptr i8, ptr %p, i64 40
; CHECK: call preserve_allcc void @__culprit_access(
; CHECK: br label %[[DONE]]
; CHECK: [[DONE]]:
; CHECK-NEXT: %[[AFTER:[a-z0-9.]+]] = phi i1 [ true, %{{[0-9]+}} ], [ %[[FLAG]], %again ]
; CHECK-NOT: culprit_access
; CHECK: latch:
; CHECK-NEXT: %[[NEXT]] = phi i1
; CHECK: ret void
; COUNT-LABEL: define void @members(
; COUNT-NOT: phi i1
; COUNT: ret void
define void @members(ptr %p, ptr %bits, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %odd = trunc i64 %i to i1
  br i1 %odd, label %again, label %latch
again:
  %a = getelementptr i8, ptr %p, i64 8
  %b = getelementptr i8, ptr %p, i64 40
  %v = load i64, ptr %a, align 8
  %w = load i64, ptr %b, align 8
  br label %latch
latch:
  %next = add i64 %i, 1
  %d = icmp ult i64 %next, %n
  br i1 %d, label %loop, label %end, !prof !2
end:
  ret void
}
; What is behind the pointer may be another object in the next round.
; CHECK-LABEL: define void @freed(
; CHECK-NOT: phi i1
; CHECK: ret void
define void @freed(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %odd = trunc i64 %i to i1
  br i1 %odd, label %again, label %latch
again:
  %v = load i64, ptr %p, align 8
  call void @free(ptr %q)
  br label %latch
latch:
  %next = add i64 %i, 1
  %d = icmp ult i64 %next, %n
  br i1 %d, label %loop, label %end, !prof !2
end:
  ret void
}
; The address is another one in each round.
; CHECK-LABEL: define void @element(
; CHECK-NOT: phi i1
; CHECK: ret void
define void @element(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %odd = trunc i64 %i to i1
  br i1 %odd, label %again, label %latch
again:
  %a = getelementptr i64, ptr %p, i64 %i
  %v = load i64, ptr %a, align 8
  br label %latch
latch:
  %next = add i64 %i, 1
  %d = icmp ult i64 %next, %n
  br i1 %d, label %loop, label %end, !prof !2
end:
  ret void
}
; A few rounds at most: the flag would cost more than it saves.
; CHECK-LABEL: define void @seldom(
; CHECK-NOT: phi i1
; CHECK: ret void
define void @seldom(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %odd = trunc i64 %i to i1
  br i1 %odd, label %again, label %latch
again:
  %v = load i64, ptr %p, align 8
  br label %latch
latch:
  %next = add i64 %i, 1
  %d = icmp ult i64 %next, %n
  br i1 %d, label %loop, label %end, !prof !3
end:
  ret void
}
; A local that comes to life in each round.
declare void @keep(ptr) memory(none)
; CHECK-LABEL: define void @local(
; CHECK-NOT: phi i1
; CHECK: ret void
define void @local(i64 %n, i64 %at) {
entry:
  %x = alloca [4 x i64], align 16
  %e = getelementptr i64, ptr %x, i64 %at
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  call void @llvm.lifetime.start.p0(i64 32, ptr %x)
  %odd = trunc i64 %i to i1
  br i1 %odd, label %again, label %latch
again:
  %v = load i64, ptr %e, align 8
  br label %latch
latch:
  call void @llvm.lifetime.end.p0(i64 32, ptr %x)
  %next = add i64 %i, 1
  %d = icmp ult i64 %next, %n
  br i1 %d, label %loop, label %end, !prof !2
end:
  ret void
}
!2 = !{!"branch_weights", i32 31, i32 1}
!3 = !{!"branch_weights", i32 1, i32 2}
