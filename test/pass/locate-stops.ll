; A call that does not return is blamed on the condition that led to it, and never left out.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"suppress"}
declare void @fail(i32) noreturn
; CHECK-LABEL: define void @check(
; CHECK: %v = call i32 asm sideeffect "1:{{.*}}culprit_accesses
; CHECK: %[[ID:.*]] = phi i64 [ %{{.*}}, %{{.*}} ], [ %{{.*}}, %{{.*}} ]
; CHECK: stop:
; CHECK-NEXT: call void asm sideeffect {{.*}}, "i"(i32 0)
; CHECK-NEXT: store volatile i32 2, ptr @__culprit_place
; CHECK-NEXT: store volatile i64 %[[ID]], ptr @__culprit_leaves
; CHECK-NEXT: call void @fail(i32 %line)
; CHECK-NEXT: unreachable
define void @check(ptr %p, i32 %line) {
  %v = load i32, ptr %p, align 4
  %t = icmp eq i32 %v, 0
  br i1 %t, label %stop, label %end
stop:
  call void @fail(i32 %line)
  unreachable
end:
  ret void
}
