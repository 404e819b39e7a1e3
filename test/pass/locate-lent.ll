; Small objects that unseen code is given the address of: what they held is put aside before the call, and behind it what has changed
; gets the id of the call, be it one without a result. What a reference refers to is known though its assumptions are dropped.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"suppress"}

declare void @unseen(ptr)
declare i64 @strlen(ptr)

; CHECK-LABEL: define void @reference(
; CHECK: %[[COPIED:.*]] = call i64 @__culprit_lend(ptr %p, i64 4, ptr %[[COPY:.*]])
; CHECK: call void @unseen(ptr {{.*}}%p)
; CHECK: call void @__culprit_take_back(ptr %p, i64 %[[COPIED]], ptr %[[COPY]], i64 %
define void @reference(ptr %p) {
  call void @unseen(ptr dereferenceable(4) %p)
  ret void
}

; If the call is left out, it may be who would have written there.
; CHECK-LABEL: define void @left_out(
; CHECK: culprit.skipped:
; CHECK: call void @__culprit_keep_back(ptr %{{.*}}, i64 8, i64 -9223372036854775808)
define void @left_out(ptr %q) {
  %p = load ptr, ptr %q
  call void @unseen(ptr dereferenceable(8) %p)
  ret void
}

; Of other pointers nothing is known, large objects are not compared, and what a library function does is known anyway.
; CHECK-LABEL: define void @others(
; CHECK-NOT: __culprit_lend
; CHECK: ret void
define void @others(ptr %p) {
  call void @unseen(ptr %p)
  call void @unseen(ptr dereferenceable(65) %p)
  %n = call i64 @strlen(ptr dereferenceable(1) %p)
  ret void
}

; What a member function of the C++ library leaves as it is by its name, object and argument, is not compared; what it may write is.
; CHECK-LABEL: define void @const_of_library(
; CHECK-NOT: __culprit_lend
; CHECK: call i32 @_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7compareERKS4_(
; CHECK: call i64 @__culprit_lend(ptr %q, i64 32,
; CHECK-NOT: __culprit_lend
; CHECK: ret void
define void @const_of_library(ptr %p, ptr %q) {
  %order = call i32 @_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7compareERKS4_(ptr dereferenceable(32) %p, ptr dereferenceable(32) %q)
  call void @_ZNKSt5thing4fillERS_(ptr dereferenceable(32) %p, ptr dereferenceable(32) %q)
  ret void
}
declare i32 @_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7compareERKS4_(ptr, ptr)
declare void @_ZNKSt5thing4fillERS_(ptr, ptr)
