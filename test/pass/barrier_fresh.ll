; Stores that begin a block just allocated need no barrier; after a call, in a block of unknown or
; large size, or behind a merge they do. One node of constant size is not enlarged by the runtime.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"monitor"}
declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
declare ptr @_Znwm(i64)
declare ptr @_Znam(i64)
declare void @work()
declare void @stop()

; CHECK-LABEL: define ptr @node(
; CHECK: call ptr @__culprit_malloc_exact(i64 24)
; CHECK-NOT: card_dirty
; CHECK: ret ptr
define ptr @node(ptr %left) {
entry:
  %p = call ptr @malloc(i64 24)
  %null = icmp eq ptr %p, null
  br i1 %null, label %failed, label %good
good:
  store ptr %left, ptr %p
  %q = getelementptr i8, ptr %p, i64 8
  store ptr %p, ptr %q
  ret ptr %p
failed:
  call void @stop()
  unreachable
}
; CHECK-LABEL: define ptr @after_call(
; CHECK: call void @work()
; CHECK: store ptr
; CHECK: card_dirty
define ptr @after_call(ptr %left) {
  %p = call ptr @_Znwm(i64 24)
  call void @work()
  store ptr %left, ptr %p
  ret ptr %p
}
; CHECK-LABEL: define ptr @large(
; CHECK: call ptr @__culprit_malloc(i64 200000)
; CHECK: card_dirty
define ptr @large(ptr %left) {
  %p = call ptr @malloc(i64 200000)
  store ptr %left, ptr %p
  ret ptr %p
}
; CHECK-LABEL: define ptr @unknown(
; CHECK: call ptr @__culprit_malloc(i64 %n)
; CHECK: card_dirty
define ptr @unknown(ptr %left, i64 %n) {
  %p = call ptr @malloc(i64 %n)
  store ptr %left, ptr %p
  ret ptr %p
}
; CHECK-LABEL: define ptr @arrays(
; CHECK: call ptr @__culprit_calloc_exact(i64 1, i64 64)
; CHECK: call ptr @__culprit_calloc(i64 8, i64 8)
; CHECK: call ptr @__culprit_new_array(i64 64)
; CHECK: call ptr @__culprit_new_exact(i64 64)
define ptr @arrays() {
  %a = call ptr @calloc(i64 1, i64 64)
  %b = call ptr @calloc(i64 8, i64 8)
  %c = call ptr @_Znam(i64 64)
  %d = call ptr @_Znwm(i64 64)
  ret ptr %d
}
; CHECK-LABEL: define void @merged(
; CHECK: card_dirty
define void @merged(ptr %left, i1 %which) {
entry:
  %p = call ptr @malloc(i64 24)
  br i1 %which, label %one, label %join
one:
  call void @work()
  br label %join
join:
  store ptr %left, ptr %p
  ret void
}
