; Before an access that may go wrong, its place and the ids that its address is made of are shown: what it starts from
; first. The place is a row that costs no instruction; that of a division is stored, and the row says so. An access inside a
; variable shows nothing. What is shown already is not stored again.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"trace"}
@table = global [10 x i32] zeroinitializer
; CHECK-LABEL: define i32 @element(
; CHECK: %[[BASE:.*]] = select i1 %{{.*}}, i64 %{{.*}}, i64 0
; CHECK: %[[INDEX:.*]] = select i1 %{{.*}}, i64 %{{.*}}, i64 0
; CHECK: call void asm sideeffect "1:{{.*}}culprit_places{{.*}}", "i"(i32 1)
; CHECK-NEXT: store volatile i64 %[[BASE]], ptr @__culprit_leaves
; CHECK-NEXT: store volatile i64 %[[INDEX]], ptr getelementptr (i64, ptr @__culprit_leaves, i64 1)
define i32 @element(ptr %base, i64 %i) {
  %j = add i64 %i, 1
  %a = getelementptr i32, ptr %base, i64 %j
  %v = load i32, ptr %a, align 4
  ret i32 %v
}
; CHECK-LABEL: define i32 @inside(
; CHECK-NOT: "i"(i32 {{[1-9]}}
; CHECK: ret i32
define i32 @inside() {
  %v = load i32, ptr getelementptr ([10 x i32], ptr @table, i64 0, i64 9), align 4
  ret i32 %v
}
; CHECK-LABEL: define i32 @outside(
; CHECK: call void asm sideeffect "1:{{.*}}culprit_places{{.*}}", "i"(i32 2)
define i32 @outside() {
  %v = load i32, ptr getelementptr ([10 x i32], ptr @table, i64 0, i64 10), align 4
  ret i32 %v
}
; CHECK-LABEL: define i32 @divides(
; CHECK: %[[B:.*]] = load i64, ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 1)
; CHECK-NEXT: %[[ID:.*]] = select i1 %{{.*}}, i64 %[[B]], i64 0
; CHECK-NEXT: call void asm sideeffect "1:{{.*}}culprit_places{{.*}}", "i"(i32 0)
; CHECK-NEXT: store volatile i32 3, ptr @__culprit_place
; CHECK-NEXT: store volatile i64 %[[ID]], ptr @__culprit_leaves
; CHECK: sdiv
define i32 @divides(i32 %a, i32 %b) {
  %r = sdiv i32 %a, %b
  ret i32 %r
}
; CHECK-LABEL: define i32 @same_index(
; CHECK: call void asm sideeffect "1:{{.*}}culprit_places{{.*}}", "i"(i32 4)
; CHECK-NEXT: store volatile i64 %{{.*}}, ptr @__culprit_leaves,
; CHECK-NEXT: store volatile i64 %{{.*}}, ptr getelementptr (i64, ptr @__culprit_leaves, i64 1)
; CHECK: call void asm sideeffect "1:{{.*}}culprit_places{{.*}}", "i"(i32 5)
; CHECK-NEXT: store volatile i64 %{{.*}}, ptr @__culprit_leaves,
; CHECK-NOT: ptr @__culprit_leaves, i64 1
; CHECK: %w = load i32
define i32 @same_index(ptr %one, ptr %other, i64 %index) {
  %i = alloca i64
  store i64 %index, ptr %i
  %1 = load i64, ptr %i
  %a = getelementptr i32, ptr %one, i64 %1
  %v = load i32, ptr %a, align 4
  %2 = load i64, ptr %i
  %b = getelementptr i32, ptr %other, i64 %2
  %w = load i32, ptr %b, align 4
  %sum = add i32 %v, %w
  ret i32 %sum
}
