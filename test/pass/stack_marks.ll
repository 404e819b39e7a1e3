; When local variables come to life and end: by their lifetimes, at exits, and when frames are left behind.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S %s | FileCheck %s
!culprit.flavour = !{!0}
!0 = !{!"access"}
declare void @use(ptr)
declare i32 @out(i32)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
declare i32 @_setjmp(ptr) returns_twice
declare i32 @__gxx_personality_v0(...)

; Without lifetimes: from entry to every exit.
; CHECK-LABEL: define i32 @whole(
; CHECK: %[[SLOT:.*]] = call ptr @llvm.addressofreturnaddress.p0()
; CHECK-NEXT: call void @__culprit_local_on(ptr %[[SLOT]], ptr @[[WHOLE_SLOT:culprit.local.*]])
; CHECK-NEXT: call void @__culprit_local_on(ptr %x, ptr @[[WHOLE_X:culprit.local[.0-9]*]])
; CHECK: call void @use(ptr %x)
; CHECK: one:
; CHECK: call void @__culprit_local_off(ptr %x, i64 4)
; CHECK: call void @__culprit_local_off(ptr %{{.*}}, i64 8)
; CHECK-NEXT: ret i32 1
; CHECK: other:
; CHECK: call void @__culprit_local_off(ptr %x, i64 4)
; CHECK: call void @__culprit_local_off(ptr %{{.*}}, i64 8)
; CHECK-NEXT: ret i32 2
define i32 @whole(i1 %c) {
  %x = alloca i32
  call void @use(ptr %x)
  br i1 %c, label %one, label %other
one:
  ret i32 1
other:
  ret i32 2
}

; By its lifetime, each time round.
; CHECK-LABEL: define void @scoped(
; CHECK-NOT: local_on(ptr %x
; CHECK: loop:
; CHECK: call void @llvm.lifetime.start.p0(i64 16, ptr %x)
; CHECK-NEXT: call void @__culprit_local_on(ptr %x,
; CHECK: call void @__culprit_local_off(ptr %x, i64 16)
; CHECK-NEXT: call void @llvm.lifetime.end.p0(i64 16, ptr %x)
; CHECK: exit:
; CHECK-NOT: local_off(ptr %x
; CHECK: ret void
define void @scoped(i32 %n) {
  %x = alloca i128
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  call void @llvm.lifetime.start.p0(i64 16, ptr %x)
  call void @use(ptr %x)
  call void @llvm.lifetime.end.p0(i64 16, ptr %x)
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; A path that leaves the function before the end: the exit is the end, on that path only.
; CHECK-LABEL: define void @leaves(
; CHECK: early:
; CHECK: call void @__culprit_local_off(ptr %x, i64 16)
; CHECK: ret void
; CHECK: late:
; CHECK: call void @__culprit_local_off(ptr %x, i64 16)
; CHECK-NEXT: call void @llvm.lifetime.end
; CHECK-NOT: local_off(ptr %x
; CHECK: ret void
define void @leaves(i1 %c) {
  %x = alloca i128
  call void @llvm.lifetime.start.p0(i64 16, ptr %x)
  call void @use(ptr %x)
  br i1 %c, label %early, label %late
early:
  ret void
late:
  call void @llvm.lifetime.end.p0(i64 16, ptr %x)
  ret void
}

; Tail calls stay what they are.
; CHECK-LABEL: define i32 @tail(
; CHECK: call void @use(ptr %x)
; CHECK: call void @__culprit_local_off(ptr %x, i64 4)
; CHECK: call void @__culprit_local_off(ptr %{{.*}}, i64 8)
; CHECK: %r = tail call i32 @out(i32 3)
; CHECK-NEXT: ret i32 %r
define i32 @tail() {
  %x = alloca i32
  call void @use(ptr %x)
  %r = tail call i32 @out(i32 3)
  ret i32 %r
}
; CHECK-LABEL: define i32 @must(
; CHECK: call void @__culprit_local_off(ptr %x, i64 4)
; CHECK: %r = musttail call i32 @out(i32 %n)
; CHECK-NEXT: ret i32 %r
define i32 @must(i32 %n) {
  %x = alloca i32
  call void @use(ptr %x)
  %r = musttail call i32 @out(i32 %n)
  ret i32 %r
}
; A call that may use the variable is no exit.
; CHECK-LABEL: define void @last_use(
; CHECK: call void @use(ptr %x)
; CHECK: call void @__culprit_local_off(ptr %x, i64 4)
define void @last_use() {
  %x = alloca i32
  call void @use(ptr %x)
  ret void
}

; Of variable length: until the stack is put back; at exits all of the frame ends.
; CHECK-LABEL: define void @sized(
; CHECK: %x = alloca i32, i32 %n
; CHECK: %[[COUNT:.*]] = zext i32 %n to i64
; CHECK: %[[SIZE:.*]] = mul i64 %[[COUNT]], 4
; CHECK: call void @__culprit_local_sized_on(ptr %x, i64 %[[SIZE]],
; CHECK: call void @llvm.stackrestore.p0(ptr %saved)
; CHECK-NEXT: call void @__culprit_unwound(ptr %saved)
; CHECK: %[[SLOT:.*]] = call ptr @llvm.addressofreturnaddress.p0()
; CHECK-NEXT: %[[ABOVE:.*]] = getelementptr ptr, ptr %[[SLOT]], i64 1
; CHECK-NEXT: call void @__culprit_unwound(ptr %[[ABOVE]])
; CHECK-NEXT: ret void
define void @sized(i32 %n) {
  %saved = call ptr @llvm.stacksave.p0()
  %x = alloca i32, i32 %n
  call void @use(ptr %x)
  call void @llvm.stackrestore.p0(ptr %saved)
  ret void
}

; What an exception leaves behind ends at every landing pad, also in functions that watch nothing of their own.
; CHECK-LABEL: define void @catches(
; CHECK: landingpad
; CHECK-NEXT: catch ptr null
; CHECK-NEXT: %[[SP:.*]] = call ptr @llvm.stacksave.p0()
; CHECK-NEXT: call void @__culprit_unwound(ptr %[[SP]])
; CHECK: cleanup
; CHECK-NEXT: %[[SP:.*]] = call ptr @llvm.stacksave.p0()
; CHECK-NEXT: call void @__culprit_unwound(ptr %[[SP]])
define void @catches() personality ptr @__gxx_personality_v0 {
  invoke void @use(ptr null) to label %next unwind label %pad
next:
  invoke void @use(ptr null) to label %done unwind label %clean
done:
  ret void
pad:
  %e = landingpad { ptr, i32 } catch ptr null
  ret void
clean:
  %f = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %f
}

; And behind a call that returns twice.
; CHECK-LABEL: define i32 @jumps(
; CHECK: %r = call i32 @_setjmp(ptr %buffer)
; CHECK-NEXT: %[[SP:.*]] = call ptr @llvm.stacksave.p0()
; CHECK-NEXT: call void @__culprit_unwound(ptr %[[SP]])
define i32 @jumps(ptr %buffer) {
  %r = call i32 @_setjmp(ptr %buffer) returns_twice
  ret i32 %r
}

; Nothing to watch, nothing inserted.
; CHECK-LABEL: define i32 @safe(
; CHECK-NOT: culprit_local
; CHECK: ret i32
define i32 @safe(i32 %n) {
  %x = alloca i32
  store volatile i32 %n, ptr %x
  %r = load volatile i32, ptr %x
  ret i32 %r
}
