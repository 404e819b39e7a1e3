; The resolver of an ifunc runs before there are cards and a countdown: it is left alone.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-probes,cgscc(inline),culprit-monitor,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"monitor"}
@chosen = ifunc void (), ptr @resolve

; CHECK-LABEL: define void @implementation(
; CHECK: __culprit_countdown
; CHECK: card_dirty
define void @implementation(ptr %p) {
  store ptr %p, ptr %p
  ret void
}
define internal void @note(ptr %p) alwaysinline {
  store ptr %p, ptr %p
  ret void
}
; CHECK-LABEL: define ptr @resolve(
; CHECK-NOT: culprit
; CHECK-NOT: pseudoprobe
; CHECK: ret ptr
define ptr @resolve(ptr %p) {
  call void @note(ptr %p)
  ret ptr @implementation
}
