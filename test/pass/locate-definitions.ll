; What is computed and stored is a definition: a new time with its number, which the cells of the memory get.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"trace"}
; CHECK: @__culprit_attention = internal global [4 x i64] zeroinitializer
; CHECK-LABEL: define void @computed(
; CHECK: %[[CLOCK:.*]] = load i64, ptr @__culprit_clock
; CHECK-NEXT: %[[NOW:.*]] = add i64 %[[CLOCK]], 4194304
; CHECK-NEXT: store i64 %[[NOW]], ptr @__culprit_clock
; CHECK-NEXT: %[[ID:.*]] = or i64 %[[NOW]], 1
; CHECK: %[[BITS:.*]] = ptrtoint ptr %p to i64
; CHECK-NEXT: %[[MASKED:.*]] = and i64 %[[BITS]], 17592186044412
; CHECK-NEXT: %[[SHIFTED:.*]] = shl i64 %[[MASKED]], 1
; CHECK-NEXT: %[[SUM:.*]] = add i64 %[[SHIFTED]], 52776558133248
; CHECK-NEXT: %[[CELL:.*]] = inttoptr i64 %[[SUM]] to ptr
; CHECK-NEXT: store i64 %[[ID]], ptr %[[CELL]]
; CHECK-NEXT: call void asm sideeffect "1:{{.*}}movl{{.*}}culprit_accesses{{.*}} %p, i32 %w,
define void @computed(ptr %p, i32 %v) {
  %w = add i32 %v, 1
  store i32 %w, ptr %p, align 4
  ret void
}
; CHECK-LABEL: define void @wide(
; CHECK: %[[CLOCK:.*]] = load i64, ptr @__culprit_clock
; CHECK-NEXT: %[[NOW:.*]] = add i64 %[[CLOCK]], 4194304
; CHECK-NEXT: store i64 %[[NOW]], ptr @__culprit_clock
; CHECK-NEXT: %[[ID:.*]] = or i64 %[[NOW]], 2
; CHECK: store i64 %[[ID]], ptr %[[FIRST:.*]], align 8
; CHECK-NEXT: %[[SECOND:.*]] = getelementptr i64, ptr %[[FIRST]], i64 1
; CHECK-NEXT: store i64 %[[ID]], ptr %[[SECOND]]
; CHECK-NEXT: call void asm sideeffect "1:{{.*}}movq{{.*}}culprit_accesses{{.*}} %p, ptr null,
define void @wide(ptr %p) {
  store ptr null, ptr %p, align 8
  ret void
}
; It may lie across cells, which the runtime counts.
; CHECK-LABEL: define void @askew(
; CHECK: %[[CLOCK:.*]] = load i64, ptr @__culprit_clock
; CHECK-NEXT: %[[NOW:.*]] = add i64 %[[CLOCK]], 4194304
; CHECK-NEXT: store i64 %[[NOW]], ptr @__culprit_clock
; CHECK-NEXT: %[[ID:.*]] = or i64 %[[NOW]], 3
; CHECK: call void @__culprit_define(ptr %p, i64 8, i64 %[[ID]])
define void @askew(ptr %p) {
  store i64 5, ptr %p, align 1
  ret void
}
