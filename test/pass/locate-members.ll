; A copy does not belong behind the member of a structure that it is for, though the structure goes on.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"trace"}
@structure = global { [3 x i32], [5 x i32] } zeroinitializer
; CHECK-LABEL: define void @named(
; CHECK: %[[OUT:.*]] = icmp uge i64 %i, 3
; CHECK-NEXT: br i1 %[[OUT]]
; CHECK: call {{.*}}void @__culprit_trespassed(ptr %a, i64 %{{.*}})
; CHECK: asm sideeffect "1:{{.*}}movl{{.*}}culprit_accesses{{.*}} %a, i32 %v,
define void @named(i64 %i, i32 %v) {
  %a = getelementptr { [3 x i32], [5 x i32] }, ptr @structure, i64 0, i32 0, i64 %i
  store i32 %v, ptr %a, align 4
  ret void
}
; Of two indexes either may.
; CHECK-LABEL: define void @rows(
; CHECK: %[[COLUMN:.*]] = icmp uge i64 %j, 7
; CHECK-NEXT: %[[ROW:.*]] = icmp uge i64 %i, 3
; CHECK-NEXT: or i1 %[[COLUMN]], %[[ROW]]
; CHECK: asm sideeffect "1:{{.*}}movl{{.*}}culprit_accesses{{.*}} %b, i32 %v,
define void @rows(ptr %p, i64 %i, i64 %j, i32 %v) {
  %a = getelementptr [3 x [7 x i32]], ptr %p, i64 0, i64 %i
  %b = getelementptr [7 x i32], ptr %a, i64 0, i64 %j
  store i32 %v, ptr %b, align 4
  ret void
}
; By a pointer, the block may end as well; a member of one element is as long as its block.
; CHECK-LABEL: define void @pointed(
; CHECK: %[[MEMBER:.*]] = icmp uge i64 %i, 3
; CHECK: %[[BLOCK:.*]] = icmp eq i64 %{{.*}}, 0
; CHECK-NEXT: or i1 %[[MEMBER]], %[[BLOCK]]
; CHECK: asm sideeffect "1:{{.*}}movl{{.*}}culprit_accesses{{.*}} %a, i32 %v,
; CHECK-NOT: icmp uge
; CHECK: asm sideeffect "1:{{.*}}movl{{.*}}culprit_accesses{{.*}} %b, i32 %v,
define void @pointed(ptr %p, i64 %i, i32 %v) {
  %a = getelementptr { [3 x i32], [5 x i32] }, ptr %p, i64 0, i32 0, i64 %i
  store i32 %v, ptr %a, align 4
  %b = getelementptr { i64, [1 x i32] }, ptr %p, i64 0, i32 1, i64 %i
  store i32 %v, ptr %b, align 4
  ret void
}
