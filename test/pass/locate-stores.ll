; A store of something corrupt, to somewhere corrupt or by a definition under suspicion meets in one cold block; whether it
; is a target is known before that. Only the
; bytes at an address that is not corrupt become corrupt themselves.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"suppress"}
; CHECK-LABEL: define void @computed(
; CHECK: %[[ADDRESS:.*]] = call i64 @culprit.was_given(i64 %{{.*}})
; CHECK: %[[OPERAND:.*]] = call i64 @culprit.was_given(i64 %{{.*}})
; CHECK: %[[ID:.*]] = or i64 %{{.*}}, 1
; CHECK-NEXT: %[[ATTENTION:.*]] = load i64, ptr getelementptr (i64, ptr @__culprit_attention, i64 1)
; CHECK-NEXT: %[[RAW:.*]] = or i64 %[[ID]], %[[ATTENTION]]
; CHECK-NEXT: %[[SUSPECT:.*]] = icmp slt i64 %[[RAW]], 0
; CHECK-NEXT: br i1 %[[SUSPECT]], label %[[FIRES:.*]], label %[[JOINED:.*]], !prof
; CHECK: [[FIRES]]:
; CHECK-NEXT: store volatile ptr null, ptr @__culprit_stored_through
; CHECK-NEXT: store volatile ptr %p, ptr @__culprit_stored_at
; CHECK-NEXT: %[[KNOWN:.*]] = call preserve_allcc i64 @__culprit_fired(i64 %[[RAW]])
; CHECK: [[JOINED]]:
; CHECK-NEXT: %[[MADE_ID:.*]] = phi i64 [ %[[RAW]], %0 ], [ %[[KNOWN]], %[[FIRES]] ]
; CHECK-NEXT: %[[PART:.*]] = or i64 %[[MADE_ID]], %[[ADDRESS]]
; CHECK-NEXT: %[[ALL:.*]] = or i64 %[[PART]], %[[OPERAND]]
; CHECK-NEXT: %[[BAD:.*]] = call i1 @culprit.is_corrupt(i64 %[[ALL]])
; CHECK-NEXT: br i1 %[[BAD]], label %culprit.cold, label %[[MADE:.*]], !prof
; CHECK: [[MADE]]:
; CHECK-NEXT: %[[FINAL:.*]] = phi i64 [ %[[MADE_ID]], %[[JOINED]] ], [ %[[TOLD:.*]], %culprit.trusted ]
; CHECK: store i64 %[[FINAL]], ptr
; CHECK-NEXT: call void asm sideeffect "1:{{.*}}movl{{.*}}culprit_accesses{{.*}} %p, i32 %w,
; CHECK-NEXT: br label %[[AFTER:.*]]
; CHECK: culprit.cold:
; CHECK-NEXT: %[[TAINT:.*]] = call i64 @culprit.mark_of(i64 %[[OPERAND]])
; CHECK-NEXT: %[[TOLD]] = or i64 %[[MADE_ID]], %[[TAINT]]
; CHECK-NEXT: %[[ASTRAY:.*]] = call i1 @culprit.is_corrupt(i64 %[[ADDRESS]])
; CHECK-NEXT: br i1 %[[ASTRAY]], label %[[AFTER]], label %culprit.trusted
; CHECK: culprit.marks:
; CHECK-NEXT: call void @__culprit_define(ptr %p, i64 4, i64 %[[TOLD]])
; CHECK: culprit.trusted:
; CHECK-NEXT: %[[WRONG:.*]] = call i1 @culprit.is_corrupt(i64 %[[TOLD]])
; CHECK-NEXT: br i1 %[[WRONG]], label %culprit.marks, label %[[MADE]]
define void @computed(ptr %p, i32 %v) {
  %w = add i32 %v, 1
  store i32 %w, ptr %p, align 4
  ret void
}
; Nothing is read through a corrupt address.
; CHECK-LABEL: define i32 @loaded(
; CHECK: %[[BAD:.*]] = call i1 @culprit.is_corrupt(i64 %[[ADDRESS:.*]])
; CHECK-NEXT: br i1 %[[BAD]], label %[[AFTER:.*]], label %[[READ:.*]], !prof
; CHECK: [[READ]]:
; CHECK: %[[CELL:.*]] = load i64
; CHECK-NEXT: %[[READ_ID:.*]] = call i64 @culprit.was_read(i64 %[[CELL]], ptr %p, i64 4)
; CHECK-NEXT: %v = call i32 asm sideeffect "1:{{.*}}movl{{.*}}culprit_accesses{{.*}} %p,
; CHECK: [[AFTER]]:
; CHECK-NEXT: %[[VALUE:.*]] = phi i32 [ %v, %[[READ]] ], [ 0, %0 ]
; CHECK-NEXT: %[[ID:.*]] = phi i64 [ %[[READ_ID]], %[[READ]] ], [ %[[ADDRESS]], %0 ]
; CHECK-NEXT: store i64 %[[ID]], ptr @__culprit_result_id
; CHECK-NEXT: ret i32 %[[VALUE]]
define i32 @loaded(ptr %p) {
  %v = load i32, ptr %p, align 4
  ret i32 %v
}
