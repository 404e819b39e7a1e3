; A function that gives up for its caller: the call is a stop, blamed on the caller's condition, and
; the function shows that again where it ends, whatever it has shown in between.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"trace"}
declare void @say(ptr)
declare void @abort() noreturn

; CHECK-LABEL: define void @die(
; CHECK: %[[PLACE:.*]] = load volatile i32, ptr @__culprit_place
; CHECK: %[[LEAF:.*]] = load volatile i64, ptr @__culprit_leaves
; CHECK: call void @say(
; CHECK: store volatile i32 %[[PLACE]], ptr @__culprit_place
; CHECK: store volatile i64 %[[LEAF]], ptr @__culprit_leaves
; CHECK: call void @abort()
define void @die(ptr %text, i1 %aloud) {
  br i1 %aloud, label %says, label %ends
says:
  call void @say(ptr %text)
  br label %ends
ends:
  call void @abort()
  unreachable
}

; It is called by one that does not know of it and would go on.
; CHECK-LABEL: define void @check(
; CHECK: bad:
; CHECK: store volatile i32 [[NUMBER:[0-9]+]], ptr @__culprit_place
; CHECK-NEXT: store volatile i64 %{{.*}}, ptr @__culprit_leaves
; CHECK: call void @die(
define void @check(ptr %p, ptr %text) {
  %v = load i32, ptr %p, align 4
  %is_bad = icmp ne i32 %v, 0
  br i1 %is_bad, label %bad, label %end
bad:
  call void @die(ptr %text, i1 true)
  br label %end
end:
  ret void
}

; What has its own reason shows that.
; CHECK-LABEL: define void @own(
; CHECK-NOT: load volatile
; CHECK: ret void
define void @own(ptr %p) {
  %v = load i32, ptr %p, align 4
  %is_bad = icmp ne i32 %v, 0
  br i1 %is_bad, label %bad, label %end
bad:
  call void @abort()
  unreachable
end:
  ret void
}
