; An address that was used a moment ago needs no place again: the same pointer at another member, the same element. A call, a
; write to a variable that it is made of and a place where ways meet end that.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"trace"}
declare void @other()
; CHECK-LABEL: define i32 @members(
; CHECK: call {{.*}} asm sideeffect {{.*}}.long 1b-., 1\0A
; CHECK-NOT: .long 1b-., {{[1-9]}}
; CHECK: %b = load i32
; CHECK: call void @other()
; CHECK: call {{.*}} asm sideeffect {{.*}}.long 1b-., 3\0A
define i32 @members(ptr %list, i1 %c) {
  %p = alloca ptr
  store ptr %list, ptr %p
  %1 = load ptr, ptr %p
  %a = load i32, ptr %1, align 4
  br i1 %c, label %more, label %end
more:
  %2 = load ptr, ptr %p
  %f = getelementptr i8, ptr %2, i64 16
  %b = load i32, ptr %f, align 4
  call void @other()
  %d = load i32, ptr %f, align 4
  ret i32 %d
end:
  ret i32 %a
}
; CHECK-LABEL: define i32 @elements(
; CHECK: call {{.*}} asm sideeffect {{.*}}.long 1b-., 4\0A
; CHECK-NOT: .long 1b-., {{[1-9]}}
; CHECK: store i64 9, ptr %i
; CHECK: call {{.*}} asm sideeffect {{.*}}.long 1b-., 5\0A
; CHECK-NOT: .long 1b-., {{[1-9]}}
; CHECK: meet:
; CHECK: call {{.*}} asm sideeffect {{.*}}.long 1b-., 6\0A
define i32 @elements(ptr %base, i64 %index, i1 %c) {
  %i = alloca i64
  store i64 %index, ptr %i
  %1 = load i64, ptr %i
  %2 = getelementptr i32, ptr %base, i64 %1
  %a = load i32, ptr %2, align 4
  %3 = load i64, ptr %i
  %4 = getelementptr i32, ptr %base, i64 %3
  %b = load i32, ptr %4, align 4
  store i64 9, ptr %i
  %5 = load i64, ptr %i
  %6 = getelementptr i32, ptr %base, i64 %5
  %d = load i32, ptr %6, align 4
  br i1 %c, label %one, label %meet
one:
  br label %meet
meet:
  %e = load i32, ptr %6, align 4
  ret i32 %e
}
