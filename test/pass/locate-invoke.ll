; A call that may throw has its code on the edge where it returned. Left out, it returned zero.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"suppress"}
declare i32 @throws(i32)
declare i32 @__gxx_personality_v0(...)
; CHECK-LABEL: define i32 @catches(
; CHECK: br i1 %{{.*}}, label %culprit.skipped, label %[[MADE:.*]], !prof
; CHECK: [[MADE]]:
; CHECK: %r = invoke i32 @throws(i32 %a)
; CHECK-NEXT: to label %[[RETURNED:.*]] unwind label %pad
; CHECK: [[RETURNED]]:
; CHECK: or i64 %{{.*}}, 1
; CHECK: %[[RESULT:.*]] = phi i32 [ %r, %{{.*}} ], [ 0, %culprit.skipped ]
; CHECK-NEXT: %[[ID:.*]] = phi i64 [ %{{.*}}, %{{.*}} ], [ -9223372036854775808, %culprit.skipped ]
; CHECK: fine:
; CHECK-NEXT: store i64 %[[ID]], ptr @__culprit_result_id
; CHECK-NEXT: ret i32 %[[RESULT]]
define i32 @catches(i32 %a) personality ptr @__gxx_personality_v0 {
  %r = invoke i32 @throws(i32 %a) to label %fine unwind label %pad
fine:
  ret i32 %r
pad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}
