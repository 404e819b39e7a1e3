; Which local variables move to the data stack, and where they lie in their frame.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-data-stack,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare void @use(ptr)
declare void @use2(ptr, ptr, ptr)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare void @llvm.va_start.p0(ptr)

; CHECK: @__culprit_data_stack = external global ptr

; Registers and what can be split into them stay; such a function has no frame and no sentinel.
; CHECK-LABEL: define i32 @stays(
; CHECK-NOT: culprit
; CHECK: ret i32
define i32 @stays(i32 %n) {
  %x = alloca i32
  %pair = alloca { i32, [4 x i32] }
  store i32 %n, ptr %x
  %second = getelementptr i8, ptr %pair, i64 16
  store i32 %n, ptr %second
  %a = load i32, ptr %x
  %b = load i32, ptr %pair
  %c = add i32 %a, %b
  ret i32 %c
}

; The first declared variable highest, each at its alignment, the sentinel on top: as clang -O0 does.
; 16 + 24 -> 40 (buffer, align 1), 44 (number), 64 (aligned, 16).
; CHECK-LABEL: define void @order(
; CHECK-NEXT: %culprit.top = load ptr, ptr @__culprit_data_stack
; CHECK-NEXT: %culprit.frame = getelementptr i8, ptr %culprit.top, i64 -64
; CHECK-NEXT: store volatile ptr %culprit.frame, ptr @__culprit_data_stack
; CHECK-NEXT: %culprit.sentinel = getelementptr i8, ptr %culprit.frame, i64 48
; CHECK-NEXT: %[[R:.*]] = call ptr @llvm.returnaddress(i32 0)
; CHECK-NEXT: %[[W:.*]] = ptrtoint ptr %[[R]] to i64
; CHECK-NEXT: store i64 %[[W]], ptr %culprit.sentinel
; Nobody has written it.
; CHECK-NEXT: ptrtoint ptr %culprit.sentinel to i64
; CHECK: store <2 x i64> zeroinitializer, ptr %{{.*}}, align 8
; CHECK-NEXT: %buffer.moved = getelementptr i8, ptr %culprit.frame, i64 24
; CHECK-NEXT: %number.moved = getelementptr i8, ptr %culprit.frame, i64 20
; CHECK-NEXT: %aligned.moved = getelementptr i8, ptr %culprit.frame, i64 0
; CHECK-NEXT: %kept = alloca i32
; CHECK-NOT: alloca
; CHECK-NOT: lifetime
; CHECK: call void @use2(ptr %buffer.moved, ptr %number.moved, ptr %aligned.moved)
define void @order() {
  %buffer = alloca [24 x i8], align 1
  %kept = alloca i32
  %number = alloca i32, align 4
  %aligned = alloca [16 x i8], align 16
  call void @llvm.lifetime.start.p0(i64 24, ptr %buffer)
  store i32 0, ptr %kept
  call void @use2(ptr %buffer, ptr %number, ptr %aligned)
  call void @llvm.lifetime.end.p0(i64 24, ptr %buffer)
  ret void
}

; An array whose size is no multiple of its alignment has its gap above it, as on the machine's stack.
; CHECK-LABEL: define void @gap(
; CHECK: %culprit.frame = getelementptr i8, ptr %culprit.top, i64 -64
; CHECK: %culprit.sentinel = getelementptr i8, ptr %culprit.frame, i64 48
; CHECK: %buffer.moved = getelementptr i8, ptr %culprit.frame, i64 16
; CHECK: %number.moved = getelementptr i8, ptr %culprit.frame, i64 12
define void @gap() {
  %buffer = alloca [24 x i8], align 16
  %number = alloca i32, align 4
  call void @use(ptr %buffer)
  call void @use(ptr %number)
  ret void
}

; At exit the sentinel is compared, then the frame is popped.
; CHECK-LABEL: define i32 @exits(
; CHECK: %[[V:.*]] = load i64, ptr %culprit.sentinel
; CHECK-NEXT: %[[R:.*]] = call ptr @llvm.returnaddress(i32 0)
; CHECK-NEXT: %[[E:.*]] = ptrtoint ptr %[[R]] to i64
; CHECK-NEXT: %[[D:.*]] = icmp ne i64 %[[V]], %[[E]]
; CHECK-NEXT: br i1 %[[D]], label %[[BAD:.*]], label %[[GOOD:.*]], !prof
; CHECK: [[BAD]]:
; CHECK-NEXT: call void @__culprit_smashed(ptr %culprit.sentinel, i64 %[[E]])
; CHECK-NEXT: br label %[[GOOD]]
; CHECK: [[GOOD]]:
; CHECK-NEXT: store volatile ptr %culprit.top, ptr @__culprit_data_stack
; CHECK-NEXT: ret i32 1
; CHECK: store volatile ptr %culprit.top, ptr @__culprit_data_stack
; CHECK-NEXT: ret i32 2
define i32 @exits(i1 %c) {
  %x = alloca i32
  call void @use(ptr %x)
  br i1 %c, label %one, label %two
one:
  ret i32 1
two:
  ret i32 2
}

; What moves: a variable index, a place outside, a volatile access, an address that is stored.
; CHECK-LABEL: define i32 @indexed(
; CHECK: %a.moved = getelementptr i8, ptr %culprit.frame
define i32 @indexed(i64 %i) {
  %a = alloca [4 x i32]
  %p = getelementptr [4 x i32], ptr %a, i64 0, i64 %i
  %v = load i32, ptr %p
  ret i32 %v
}
; CHECK-LABEL: define i32 @outside(
; CHECK: %a.moved = getelementptr i8, ptr %culprit.frame
define i32 @outside() {
  %a = alloca [4 x i32]
  %p = getelementptr i8, ptr %a, i64 14
  %v = load i32, ptr %p
  ret i32 %v
}
; CHECK-LABEL: define i32 @volatile(
; CHECK: %a.moved = getelementptr i8, ptr %culprit.frame
define i32 @volatile() {
  %a = alloca i32
  %v = load volatile i32, ptr %a
  ret i32 %v
}
; CHECK-LABEL: define void @stored(
; CHECK: %a.moved = getelementptr i8, ptr %culprit.frame
define void @stored(ptr %to) {
  %a = alloca i32
  store ptr %a, ptr %to
  ret void
}
; CHECK-LABEL: define void @variadic(
; CHECK: %list.moved = getelementptr i8, ptr %culprit.frame
define void @variadic(...) {
  %list = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  ret void
}

; More than 16: the frame is aligned, and so are the offsets in it.
; CHECK-LABEL: define void @aligned(
; CHECK: %culprit.frame = getelementptr i8, ptr %culprit.top, i64 -128
; CHECK-NEXT: %[[F:.*]] = call ptr @llvm.ptrmask.p0.i64(ptr %culprit.frame, i64 -64)
; CHECK-NEXT: store volatile ptr %[[F]], ptr @__culprit_data_stack
; CHECK: getelementptr i8, ptr %[[F]], i64 112
; CHECK: %x.moved = getelementptr i8, ptr %[[F]], i64 108
; CHECK: %y.moved = getelementptr i8, ptr %[[F]], i64 0
; CHECK: store volatile ptr %culprit.top, ptr @__culprit_data_stack
define void @aligned() {
  %x = alloca i32
  %y = alloca [8 x i64], align 64
  call void @use(ptr %x)
  call void @use(ptr %y)
  ret void
}

; An argument passed by value is copied to above the sentinel; its slot says where its ids are.
; CHECK-LABEL: define void @by_value(
; CHECK: %culprit.frame = getelementptr i8, ptr %culprit.top, i64 -64
; CHECK: %culprit.sentinel = getelementptr i8, ptr %culprit.frame, i64 16
; CHECK: %s.moved = getelementptr i8, ptr %culprit.frame, i64 32
; CHECK-NEXT: call void @llvm.memcpy.p0.p0.i64(ptr align 8 %s.moved, ptr align 8 %s, i64 24, i1 false)
; CHECK-NEXT: %[[FROM:.*]] = load ptr, ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 1)
; CHECK-NEXT: %[[C:.*]] = load ptr, ptr @__culprit_callee
; CHECK-NEXT: %[[OURS:.*]] = icmp eq ptr %[[C]], @by_value
; CHECK-NEXT: %[[A:.*]] = select i1 %[[OURS]], ptr %[[FROM]], ptr %s
; CHECK: ptrtoint ptr %s.moved to i64
; CHECK: %[[TO:.*]] = inttoptr i64 %{{.*}} to ptr
; CHECK: ptrtoint ptr %[[A]] to i64
; CHECK: %[[CELLS:.*]] = inttoptr i64 %{{.*}} to ptr
; CHECK-NEXT: call void @llvm.memmove.p0.p0.i64(ptr align 8 %[[TO]], ptr align 8 %[[CELLS]], i64 48, i1 false)
; CHECK: %x.moved = getelementptr i8, ptr %culprit.frame, i64 12
; CHECK: call void @use(ptr %s.moved)
define void @by_value(i32 %n, ptr byval([3 x i64]) align 8 %s) {
  %x = alloca i32
  call void @use(ptr %s)
  call void @use(ptr %x)
  ret void
}
; Nobody else can have called it.
; CHECK-LABEL: define internal void @by_value_here(
; CHECK: %[[FROM:.*]] = load ptr, ptr @__culprit_argument_ids
; CHECK: ptrtoint ptr %[[FROM]] to i64
; CHECK: call void @llvm.memmove.p0.p0.i64(ptr align 8 %{{.*}}, ptr align 8 %{{.*}}, i64 48, i1 false)
define internal void @by_value_here(ptr byval([3 x i64]) align 8 %s) {
  call void @use(ptr %s)
  ret void
}

; Nothing of ours in a resolver: there is no data stack yet when it runs.
@chosen = ifunc void (), ptr @resolver
; CHECK-LABEL: define ptr @resolver(
; CHECK-NOT: culprit
; CHECK: ret ptr
define ptr @resolver() {
  %x = alloca i32
  call void @use(ptr %x)
  ret ptr @stored
}
