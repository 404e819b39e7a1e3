; Ids that travel in registers are only known where somebody asks for them, at the other end of a
; call as well: nobody reads them from memory before something is corrupt, nor makes new ones.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s --check-prefixes=CHECK,CLEAN
; RUN: sed 's/"trace"/"suppress"/' %s | opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S | FileCheck %s --check-prefixes=CHECK,ARMED
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!culprit.main = !{!1}
!0 = !{!"trace"}
!1 = !{}
declare void @other(i32)

; Only added: what is stored is a definition of its own.
define internal i32 @adds(i32 %a, i32 %b) {
  %sum = add i32 %a, %b
  ret i32 %sum
}
; Handed to code that nobody sees.
define internal void @tells(i32 %a) {
  call void @other(i32 %a)
  ret void
}

; CHECK-LABEL: define void @calls_adds(
; CLEAN-NOT: 52776558133248
; ARMED: call i64 @culprit.id_if_stained.4.4(ptr
; The constant is no definition, the store is.
; CHECK: call { i32, i64 } @adds(i32 %{{.*}}, i32 1, i64 {{.*}}, i64 0)
; CHECK: or i64 %{{.*}}, [[#STORE:]]
define void @calls_adds(ptr %p, ptr %q) {
  %v = load i32, ptr %p
  %sum = call i32 @adds(i32 %v, i32 1)
  %twice = add i32 %sum, %sum
  store i32 %twice, ptr %q
  ret void
}

; CHECK-LABEL: define void @calls_tells(
; CHECK-NOT: phi i64 [ 0,
; CHECK: add i64 %{{.*}}, 52776558133248
; CHECK: call void @tells(i32 %{{.*}}, i64 %
; CHECK: %[[NEW:.*]] = or i64 %{{.*}}, [[#]]
; CHECK: call void @tells(i32 7, i64 %{{.*}})
define void @calls_tells(ptr %p) {
  %v = load i32, ptr %p
  call void @tells(i32 %v)
  call void @tells(i32 7)
  ret void
}

; A variable that nobody asks about: counting makes no ids.
; CHECK-LABEL: define void @counts(
; CLEAN-NOT: store i64 %{{.*}}, ptr @__culprit_clock
; ARMED-NOT: @__culprit_attention
; CHECK: ret void
define void @counts(i32 %n) {
entry:
  %i = alloca i32
  store i32 0, ptr %i
  br label %loop
loop:
  %now = load i32, ptr %i
  %next = add i32 %now, 1
  store i32 %next, ptr %i
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; It may run out of stack: the access before the call is shown there, the others tell by themselves.
; CHECK-LABEL: define i32 @recurs(
; CHECK: %a = call ptr asm sideeffect
; CHECK: %b = call ptr asm sideeffect {{.*}}.asciz \22@8:0:$2\22
; CHECK: %c = call ptr asm sideeffect {{.*}}.asciz \22$2\22
; CHECK: store volatile i64 %{{.*}}, ptr @__culprit_leaves
; CHECK: call {{.*}} @recurs
define i32 @recurs(ptr %p) {
  %a = load ptr, ptr %p
  %b = load ptr, ptr %a
  %c = load ptr, ptr %b
  %none = icmp eq ptr %c, null
  br i1 %none, label %end, label %more
more:
  %r = call i32 @recurs(ptr null)
  ret i32 %r
end:
  ret i32 0
}
