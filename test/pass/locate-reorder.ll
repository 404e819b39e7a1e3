; The flavour reorder: addresses of global variables and offsets of locals come out of a table; local pointers beside a buffer are
; kept in memory; initial values that hold addresses are told to the runtime.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; What others could name, what is never written and what is thread-local stays.
; CHECK-DAG: @culprit.images = internal constant [3 x { ptr, i64 }] [{ ptr, i64 } { ptr @text, i64 16 }, { ptr, i64 } { ptr @cursor, i64 8 }, { ptr, i64 } { ptr @index, i64 4 }]
; CHECK-DAG: @culprit.moved_pointers = internal constant [{{[0-9]+}} x { i64, i64, i64 }] [{ i64, i64, i64 } { i64 ptrtoint (ptr @cursor to i64), i64 0, i64 3 }
; The holder of an address must be writable at start-up.
; CHECK-DAG: @table = internal global [2 x ptr]
@text = internal global [16 x i8] zeroinitializer
@cursor = internal global ptr getelementptr (i8, ptr @text, i64 3)
@index = internal global i32 0
@table = internal constant [2 x ptr] [ptr null, ptr @text]
@visible = global i32 0
@fixed = internal constant i32 7
@local = internal thread_local global i32 0
@placed = internal global i32 0, section "mine"

declare void @use(ptr)

; CHECK-LABEL: define void @globals(
; CHECK: %index.home = load ptr, ptr getelementptr (i64, ptr @culprit.layout, i64 2)
; CHECK: load i32, ptr %index.home
; CHECK: store i32 1, ptr @visible
define void @globals() {
  %i = load i32, ptr @index
  %wide = zext i32 %i to i64
  %at = getelementptr i8, ptr @text, i64 %wide
  store i8 1, ptr %at
  store i32 1, ptr @visible
  %p = load ptr, ptr @cursor
  store i8 2, ptr %p
  %q = load ptr, ptr @table
  ret void
}

; The frame's size, the sentinel and each variable; an entry may be an address.
; CHECK-LABEL: define void @frame(
; CHECK: %[[SIZE:.*]] = load i64, ptr getelementptr (i64, ptr @culprit.layout, i64 3)
; CHECK: %[[DOWN:.*]] = sub i64 0, %[[SIZE]]
; CHECK: %culprit.frame = getelementptr i8, ptr %culprit.top, i64 %[[DOWN]]
; CHECK: %culprit.sentinel = select i1
; CHECK: call void @__culprit_enter_frame(ptr %culprit.frame, i64 1)
; CHECK: %[[HOME:.*]] = load i64, ptr getelementptr (i64, ptr @culprit.layout, i64 5)
; CHECK: %[[FAR:.*]] = icmp uge i64 %[[HOME]], 1099511627776
; CHECK: %buffer.moved = select i1 %[[FAR]]
; CHECK: call void @__culprit_leave_frame(ptr %culprit.frame, i64 1)
define void @frame() {
  %buffer = alloca [16 x i8]
  call void @use(ptr %buffer)
  ret void
}

; CHECK-LABEL: define internal void @culprit.register(
; CHECK-NEXT: call void @__culprit_register_layout(
; CHECK-NEXT: call void @__culprit_register_locate(
!culprit.flavour = !{!0}
!0 = !{!"reorder"}
