; The data stack where control does not simply come and go: variable length, unwinding, longjmp, tail calls.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-data-stack,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare void @use(ptr)
declare void @throws()
declare i32 @out(i32)
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
declare i32 @_setjmp(ptr) returns_twice
declare i32 @__gxx_personality_v0(...)

; Below the frame, in the order they come to life, until the stack is restored.
; CHECK-LABEL: define void @sized(
; CHECK-NEXT: %culprit.lowest = alloca ptr
; CHECK-NEXT: %culprit.top = load ptr, ptr @__culprit_data_stack
; CHECK-NEXT: %culprit.frame = getelementptr i8, ptr %culprit.top, i64 -16
; CHECK: store ptr %culprit.frame, ptr %culprit.lowest
; CHECK-NEXT: %[[SAVED:.*]] = load ptr, ptr %culprit.lowest
; CHECK-NEXT: %[[COUNT:.*]] = zext i32 %n to i64
; CHECK-NEXT: %[[SIZE:.*]] = mul i64 %[[COUNT]], 4
; CHECK-NEXT: %[[OLD:.*]] = load ptr, ptr %culprit.lowest
; CHECK-NEXT: %[[NEG:.*]] = sub i64 0, %[[SIZE]]
; CHECK-NEXT: %[[LOW:.*]] = getelementptr i8, ptr %[[OLD]], i64 %[[NEG]]
; CHECK-NEXT: %x.moved = call ptr @llvm.ptrmask.p0.i64(ptr %[[LOW]], i64 -16)
; CHECK-NEXT: store ptr %x.moved, ptr %culprit.lowest
; CHECK-NEXT: store volatile ptr %x.moved, ptr @__culprit_data_stack
; CHECK-NEXT: call void @use(ptr %x.moved)
; CHECK-NEXT: store ptr %[[SAVED]], ptr %culprit.lowest
; CHECK-NEXT: store volatile ptr %[[SAVED]], ptr @__culprit_data_stack
; CHECK: store volatile ptr %culprit.top, ptr @__culprit_data_stack
; CHECK-NEXT: ret void
define void @sized(i32 %n) {
  %saved = call ptr @llvm.stacksave.p0()
  %x = alloca i32, i32 %n
  call void @use(ptr %x)
  call void @llvm.stackrestore.p0(ptr %saved)
  ret void
}

; alloca() of a constant number, but again and again.
; CHECK-LABEL: define void @again(
; CHECK: loop:
; CHECK: %x.moved = call ptr @llvm.ptrmask
; CHECK-NEXT: store ptr %x.moved, ptr %culprit.lowest
define void @again(i1 %c) {
  br label %loop
loop:
  %x = alloca i8, i64 10
  call void @use(ptr %x)
  br i1 %c, label %loop, label %end
end:
  ret void
}

; Frames below are abandoned at a landing pad; this one is popped before the exception goes on.
; CHECK-LABEL: define void @unwinds(
; CHECK: landingpad
; CHECK-NEXT: cleanup
; CHECK-NEXT: store volatile ptr %culprit.frame, ptr @__culprit_data_stack
; CHECK: store volatile ptr %culprit.top, ptr @__culprit_data_stack
; CHECK-NEXT: resume
define void @unwinds() personality ptr @__gxx_personality_v0 {
  %x = alloca i32
  invoke void @use(ptr %x) to label %done unwind label %pad
done:
  ret void
pad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}

; Also in a function without a frame, which checks nothing.
; CHECK-LABEL: define void @catches(
; CHECK-NEXT: %culprit.top = load ptr, ptr @__culprit_data_stack
; CHECK-NOT: sentinel
; CHECK: landingpad
; CHECK-NEXT: catch ptr null
; CHECK-NEXT: store volatile ptr %culprit.top, ptr @__culprit_data_stack
; CHECK-NEXT: ret void
define void @catches() personality ptr @__gxx_personality_v0 {
  invoke void @throws() to label %done unwind label %pad
done:
  ret void
pad:
  %e = landingpad { ptr, i32 } catch ptr null
  ret void
}

; With variables of variable length: as low as it was when the exception came by.
; CHECK-LABEL: define void @sized_unwinds(
; CHECK: landingpad
; CHECK-NEXT: cleanup
; CHECK-NEXT: %[[LOW:.*]] = load ptr, ptr %culprit.lowest
; CHECK-NEXT: store volatile ptr %[[LOW]], ptr @__culprit_data_stack
define void @sized_unwinds(i32 %n) personality ptr @__gxx_personality_v0 {
  %x = alloca i32, i32 %n
  invoke void @use(ptr %x) to label %done unwind label %pad
done:
  ret void
pad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}

; A call that returns again: as low as it was before the call.
; CHECK-LABEL: define i32 @jumps(
; CHECK: %r = call i32 @_setjmp(ptr %buffer)
; CHECK-NEXT: store volatile ptr %culprit.top, ptr @__culprit_data_stack
define i32 @jumps(ptr %buffer) {
  %r = call i32 @_setjmp(ptr %buffer) returns_twice
  ret i32 %r
}
; CHECK-LABEL: define i32 @sized_jumps(
; CHECK: store volatile ptr %x.moved, ptr @__culprit_data_stack
; CHECK-NEXT: %[[LOW:.*]] = load ptr, ptr %culprit.lowest
; CHECK-NEXT: %r = call i32 @_setjmp(ptr %x.moved)
; CHECK-NEXT: store ptr %[[LOW]], ptr %culprit.lowest
; CHECK-NEXT: store volatile ptr %[[LOW]], ptr @__culprit_data_stack
define i32 @sized_jumps(i32 %n) {
  %x = alloca i32, i32 %n
  %r = call i32 @_setjmp(ptr %x) returns_twice
  ret i32 %r
}

; A call that must be a tail call: left before it. Arguments passed by value stay for it.
; CHECK-LABEL: define i32 @must(
; CHECK: store volatile ptr %culprit.top, ptr @__culprit_data_stack
; CHECK-NEXT: %r = musttail call i32 @out(i32 %n)
; CHECK-NEXT: ret i32 %r
define i32 @must(i32 %n) {
  %x = alloca i32
  call void @use(ptr %x)
  %r = musttail call i32 @out(i32 %n)
  ret i32 %r
}
declare void @forward(ptr byval(i64) align 8)
; CHECK-LABEL: define void @forwards(
; CHECK: call void @llvm.memmove.p0.p0.i64(ptr align 8 %{{.*}}, ptr align 8 %{{.*}}, i64 16, i1 false)
; CHECK: musttail call void @forward(ptr byval(i64) align 8 %s)
define void @forwards(ptr byval(i64) align 8 %s) {
  musttail call void @forward(ptr byval(i64) align 8 %s)
  ret void
}
