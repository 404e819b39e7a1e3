; The flavour origins: what is computed from a value that nobody has written keeps its id; a bit-field is stored with what was in its
; word before, which does not count; unseen code is told what it is given.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"origins"}

declare void @unseen(ptr)
declare i64 @strlen(ptr)

; CHECK-LABEL: define void @computed(
; CHECK: call i64 @__culprit_unwritten_id(ptr %p, i64 4, i64 %
; CHECK: or i64 %{{.*}}, 1152921504606846976
; CHECK: and i64 %{{.*}}, -4611686018427387904
; CHECK: icmp eq i64 %{{.*}}, 4611686018427387904
; CHECK: define void @field(
define void @computed(ptr %p, ptr %q) {
  %v = load i32, ptr %p
  %w = add i32 %v, 1
  store i32 %w, ptr %q
  ret void
}

; The word that is read is not asked in the end whether somebody has written it.
; CHECK: culprit.cold:
; CHECK-NOT: icmp eq i64 %{{.*}}, 4611686018427387904
; CHECK: culprit.marks:
define void @field(ptr %p) {
  %word = load i32, ptr %p
  %rest = and i32 %word, -8
  %set = or i32 %rest, 3
  store i32 %set, ptr %p
  ret void
}

; CHECK-LABEL: define void @given(
; CHECK: call void @__culprit_handed_out(ptr null, ptr %p, i64 0)
; CHECK: call void @unseen(
; CHECK-NOT: handed_out
; CHECK: ret void
define void @given(ptr %p) {
  call void @unseen(ptr %p)
  %n = call i64 @strlen(ptr %p)
  ret void
}
