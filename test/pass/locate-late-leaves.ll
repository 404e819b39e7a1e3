; The id of a pointer that is followed right after it was read is not read with it: the access says from where it comes. If
; something was written in between, or the id is kept elsewhere, it is read. An id that is only asked whether it is
; corrupt is not looked at where nothing is.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"suppress"}
declare void @other()
; CHECK-LABEL: define void @follows(
; CHECK: %next = call ptr asm sideeffect
; CHECK: phi ptr [ %next, %{{.*}} ], [ null, %{{.*}} ]
; CHECK: call i64 @culprit.id_if_stained.4.4(ptr %again)
; CHECK: %v = call i32 asm sideeffect {{.*}}.asciz \22@8:16:$2\22\0A{{.*}}"=r,*m,r"(ptr nocapture elementtype(i32) %again, ptr %p)
; CHECK-SAME: #[[READS:[0-9]+]]
define void @follows(ptr %p, ptr %to) {
  %variable = alloca ptr
  %a = getelementptr i8, ptr %p, i64 16
  %next = load ptr, ptr %a
  store ptr %next, ptr %variable
  %again = load ptr, ptr %variable
  %v = load i32, ptr %again
  %w = add i32 %v, 1
  store i32 %w, ptr %to
  ret void
}
; CHECK-LABEL: define i32 @written(
; CHECK-NOT: .asciz \22@
; CHECK: ret i32
define i32 @written(ptr %p, ptr %q) {
  %next = load ptr, ptr %p
  store ptr null, ptr %q
  %v = load i32, ptr %next
  ret i32 %v
}
; CHECK-LABEL: define i32 @called(
; CHECK-NOT: .asciz \22@
; CHECK: ret i32
define i32 @called(ptr %p) {
  %next = load ptr, ptr %p
  call void @other()
  %v = load i32, ptr %next
  ret i32 %v
}
; CHECK-LABEL: define ptr @kept(
; CHECK-NOT: .asciz \22@
; CHECK-NOT: phi i64 [ 0,
; CHECK: ret ptr
define ptr @kept(ptr %p) {
  %next = load ptr, ptr %p
  %v = load ptr, ptr %next
  %same = icmp eq ptr %v, null
  %either = select i1 %same, ptr %next, ptr %v
  ret ptr %either
}
; Of an element that nobody has written, what its address is made of counts as well.
; CHECK-LABEL: define i32 @element(
; CHECK: %v = call i32 asm sideeffect {{.*}}.asciz \22@8:0:$2?0|$3|$4\22\0A{{.*}}"=r,*m,r,ri,ri"(
define i32 @element(ptr %table, i64 %i) {
  %a = getelementptr ptr, ptr %table, i64 %i
  %p = load ptr, ptr %a
  %v = load i32, ptr %p
  ret i32 %v
}
; CHECK: attributes #[[READS]] = { nounwind memory(read, inaccessiblemem: readwrite) }
