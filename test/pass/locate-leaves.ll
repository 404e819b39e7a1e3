; An access that may go wrong is an instruction with a row of its own, which says where the ids are that its address is made
; of: what it starts from first. A division, and an access that one instruction does not do or that has too many, stores
; them before. An access inside a variable shows nothing. What is shown already is not stored again.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"trace"}
@table = global [10 x i32] zeroinitializer
; CHECK-LABEL: define i32 @element(
; CHECK: %[[BASE:.*]] = select i1 %{{.*}}, i64 %{{.*}}, i64 0
; CHECK: %[[INDEX:.*]] = select i1 %{{.*}}, i64 %{{.*}}, i64 0
; CHECK-NOT: store volatile
; CHECK: %v = call i32 asm sideeffect "1:\09movl\09$1, $0\0A{{.*}}culprit_accesses{{.*}}.long 1b-., 1\0A\09.asciz \22$2;$3\22\0A{{.*}}",
; CHECK-SAME: "=r,*m,ri,ri"(ptr nocapture elementtype(i32) %a, i64 %[[BASE]], i64 %[[INDEX]])
define i32 @element(ptr %base, i64 %i) {
  %j = add i64 %i, 1
  %a = getelementptr i32, ptr %base, i64 %j
  %v = load i32, ptr %a, align 4
  ret i32 %v
}
; CHECK-LABEL: define i32 @inside(
; CHECK-NOT: .long 1b-., {{[1-9]}}
; CHECK: ret i32
define i32 @inside() {
  %v = load i32, ptr getelementptr ([10 x i32], ptr @table, i64 0, i64 9), align 4
  ret i32 %v
}
; CHECK-LABEL: define i32 @outside(
; CHECK: %v = call i32 asm sideeffect {{.*}}.long 1b-., 2\0A\09.asciz \22\22\0A
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
; CHECK-LABEL: define i128 @same_index(
; CHECK: call void asm sideeffect "1:{{.*}}culprit_places{{.*}}", "i"(i32 4)
; CHECK-NEXT: store volatile i64 %{{.*}}, ptr @__culprit_leaves,
; CHECK-NEXT: store volatile i64 %{{.*}}, ptr getelementptr (i64, ptr @__culprit_leaves, i64 1)
; CHECK: call void asm sideeffect "1:{{.*}}culprit_places{{.*}}", "i"(i32 5)
; CHECK-NEXT: store volatile i64 %{{.*}}, ptr @__culprit_leaves,
; CHECK-NOT: ptr @__culprit_leaves, i64 1
; CHECK: %w = load i128
define i128 @same_index(ptr %one, ptr %other, i64 %index) {
  %i = alloca i64
  store i64 %index, ptr %i
  %1 = load i64, ptr %i
  %a = getelementptr i128, ptr %one, i64 %1
  %v = load i128, ptr %a, align 16
  %2 = load i64, ptr %i
  %b = getelementptr i128, ptr %other, i64 %2
  %w = load i128, ptr %b, align 16
  %sum = add i128 %v, %w
  ret i128 %sum
}
; A small number fills a register of its own, and what is stored may be a number.
; CHECK-LABEL: define i8 @letter(
; CHECK: %[[WIDE:.*]] = call i32 asm sideeffect "1:\09movzbl\09{{.*}}elementtype(i8) %p,{{.*}}!range
; CHECK-NEXT: %v = trunc i32 %[[WIDE]] to i8
; CHECK: call void asm sideeffect "1:\09movb\09{{.*}}"=*m,re,ri"(ptr nocapture elementtype(i8) %q, i8 7,
define i8 @letter(ptr %p, ptr %q) {
  %v = load i8, ptr %p
  store i8 7, ptr %q
  ret i8 %v
}
; More leaves than there are registers to spare.
; CHECK-LABEL: define i8 @many(
; CHECK-COUNT-4: store volatile i64 %{{.*}}@__culprit_leaves
; CHECK: %v = load i8
define i8 @many(ptr %p, i64 %a, i64 %b, i64 %c) {
  %1 = getelementptr i8, ptr %p, i64 %a
  %2 = getelementptr i8, ptr %1, i64 %b
  %3 = getelementptr i8, ptr %2, i64 %c
  %v = load i8, ptr %3
  ret i8 %v
}
; What may run out of stack stores its last access before it calls itself.
; CHECK-LABEL: define internal { i32, i64 } @walk(
; CHECK: %next = call ptr asm sideeffect {{.*}}.long 1b-., [[#PLACE:]]\0A{{.*}} %n, i64 %[[N:.*]])
; CHECK: store volatile i32 [[#PLACE]], ptr @__culprit_place
; CHECK-NEXT: store volatile i64 %[[N]], ptr @__culprit_leaves
; CHECK: call { i32, i64 } @walk(
define internal i32 @walk(ptr %n) {
  %next = load ptr, ptr %n
  %v = call i32 @walk(ptr %next)
  ret i32 %v
}
define i32 @walks(ptr %n) {
  %v = call i32 @walk(ptr %n)
  ret i32 %v
}
; Before what leads nowhere back it does not.
; CHECK-LABEL: define internal { i32, i64 } @climb(
; CHECK: %next = call ptr asm sideeffect
; CHECK-NOT: store volatile
; CHECK: call {{.*}}@help(
; CHECK: store volatile i32 {{.*}}, ptr @__culprit_place
; CHECK: call { i32, i64 } @climb(
define internal i32 @climb(ptr %n) {
  %next = load ptr, ptr %n
  call void @help(ptr %next)
  %v = call i32 @climb(ptr %next)
  ret i32 %v
}
define internal void @help(ptr %n) {
  store i32 1, ptr %n
  ret void
}
define i32 @climbs(ptr %n) {
  %v = call i32 @climb(ptr %n)
  ret i32 %v
}
