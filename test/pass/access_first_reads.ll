; What comparisons and searches read first is checked like an access of the program's own, with reads only; nothing where the
; length may be 0.
; RUN: sed 's/"access"/"access-reads"/' %s | opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S | FileCheck %s
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S %s | FileCheck --check-prefix=WRITES %s
; RUN: sed 's/"access"/"access-reads"/' %s | opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' | llc -filetype=obj -relocation-model=pic -o %t.o
; RUN: %tables %t.o accesses | FileCheck --check-prefix=TABLE %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!culprit.main = !{!1}
!0 = !{!"access"}
!1 = !{}
declare i32 @strcmp(ptr, ptr)
declare i32 @memcmp(ptr, ptr, i64)
declare ptr @strstr(ptr, ptr)
; WRITES-NOT: @__culprit_access
; TABLE: accesses[0] callee=strcmp function=texts id={{[0-9a-f]+}} read=True

; CHECK-LABEL: define i32 @texts(
; CHECK: call preserve_allcc void @__culprit_access(ptr %p, i32 [[#ROW:]])
; CHECK: call preserve_allcc void @__culprit_access(ptr %q, i32 [[#ROW]])
; CHECK: call i32 @strcmp(
define i32 @texts(ptr %p, ptr %q) {
  %r = call i32 @strcmp(ptr %p, ptr %q)
  ret i32 %r
}
; CHECK-LABEL: define i32 @asked(
; CHECK: call preserve_allcc void @__culprit_access(ptr %p,
; CHECK: call preserve_allcc void @__culprit_access(ptr %q,
; CHECK: call i32 @memcmp(
define i32 @asked(ptr %p, ptr %q, i64 %n) {
  %none = icmp eq i64 %n, 0
  br i1 %none, label %same, label %some
some:
  %r = call i32 @memcmp(ptr %p, ptr %q, i64 %n)
  ret i32 %r
same:
  ret i32 0
}
; CHECK-LABEL: define i32 @known(
; CHECK: call preserve_allcc void @__culprit_access(ptr %p,
; CHECK: call i32 @memcmp(
define i32 @known(ptr %p, ptr %q) {
  %r = call i32 @memcmp(ptr %p, ptr %q, i64 12)
  ret i32 %r
}
; Nobody asked, or the other way round.
; CHECK-LABEL: define i32 @perhaps(
; CHECK-NOT: culprit_access(
; CHECK: ret i32
define i32 @perhaps(ptr %p, ptr %q, i64 %n) {
  %r = call i32 @memcmp(ptr %p, ptr %q, i64 %n)
  ret i32 %r
}
; CHECK-LABEL: define i32 @other_way(
; CHECK-NOT: culprit_access(
; CHECK: ret i32
define i32 @other_way(ptr %p, ptr %q, i64 %n) {
  %some = icmp ne i64 %n, 0
  br i1 %some, label %same, label %none
none:
  %r = call i32 @memcmp(ptr %p, ptr %q, i64 %n)
  ret i32 %r
same:
  ret i32 0
}
; An empty needle is found without a look.
; CHECK-LABEL: define ptr @search(
; CHECK-NOT: culprit_access(
; CHECK: ret ptr
define ptr @search(ptr %p, ptr %q) {
  %r = call ptr @strstr(ptr %p, ptr %q)
  ret ptr %r
}
