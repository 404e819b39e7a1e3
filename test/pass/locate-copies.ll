; What is loaded and stored again keeps its id and takes no time; so do arguments and widened values.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"trace"}
; CHECK-LABEL: define void @copy(
; CHECK-NOT: load i64, ptr @__culprit_clock
; CHECK: %[[BITS:.*]] = ptrtoint ptr %p to i64
; CHECK-NEXT: %[[MASKED:.*]] = and i64 %[[BITS]], 17592186044412
; CHECK-NEXT: %[[SHIFTED:.*]] = shl i64 %[[MASKED]], 1
; CHECK-NEXT: %[[SUM:.*]] = add i64 %[[SHIFTED]], 52776558133248
; CHECK-NEXT: %[[CELL:.*]] = inttoptr i64 %[[SUM]] to ptr
; CHECK-NEXT: %[[ID:.*]] = load i64, ptr %[[CELL]]
; CHECK-NEXT: %v = call i32 asm sideeffect "1:{{.*}}movl{{.*}}culprit_accesses{{.*}} %p,
; CHECK: store i64 %[[ID]], ptr
; CHECK-NEXT: call void asm sideeffect "1:{{.*}}movl{{.*}}culprit_accesses{{.*}} %q, i32 %v,
define void @copy(ptr %p, ptr %q) {
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %q, align 4
  ret void
}
; CHECK-LABEL: define void @argument(
; CHECK-NOT: load i64, ptr @__culprit_clock
; CHECK: %[[SLOT:.*]] = load i64, ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 1)
; CHECK-NEXT: %[[ID:.*]] = select i1 %{{.*}}, i64 %[[SLOT]], i64 0
; CHECK: store i64 %[[ID]], ptr
; CHECK: store i64 %[[ID]], ptr
; CHECK-NEXT: call void asm sideeffect "1:{{.*}}movq{{.*}}culprit_accesses{{.*}} %p, i64 %w,
define void @argument(ptr %p, i32 %v) {
  %w = sext i32 %v to i64
  store i64 %w, ptr %p, align 8
  ret void
}
; A variable that becomes a register has its id in another one.
; CHECK-LABEL: define void @local(
; CHECK-NOT: load i64, ptr @__culprit_clock
; CHECK-NEXT: %[[SHADOW:.*]] = alloca [1 x i64]
; CHECK: %[[SLOT:.*]] = load i64, ptr getelementptr (i64, ptr @__culprit_argument_ids, i64 1)
; CHECK-NEXT: %[[ID:.*]] = select i1 %{{.*}}, i64 %[[SLOT]], i64 0
; CHECK: store i64 %[[ID]], ptr %{{.*}}, align 8
; CHECK-NEXT: store i32 %v, ptr %x
; CHECK-NEXT: %[[OUT:.*]] = getelementptr i64, ptr %[[SHADOW]], i64 0
; CHECK-NEXT: %[[W:.*]] = load i64, ptr %[[OUT]]
; CHECK-NEXT: %w = load i32, ptr %x
; CHECK: store i64 %[[W]], ptr
; CHECK-NEXT: call void asm sideeffect "1:{{.*}}movl{{.*}}culprit_accesses{{.*}} %p, i32 %w,
define void @local(ptr %p, i32 %v) {
  %x = alloca i32
  store i32 %v, ptr %x
  %w = load i32, ptr %x
  store i32 %w, ptr %p, align 4
  ret void
}
; Of eight bytes, the newer of two cells.
; CHECK-LABEL: define void @both(
; CHECK: %[[A:.*]] = load i64, ptr %[[CELL:.*]], align 8
; CHECK-NEXT: %[[NEXT:.*]] = getelementptr i64, ptr %[[CELL]], i64 1
; CHECK-NEXT: %[[B:.*]] = load i64, ptr %[[NEXT]]
; CHECK-NEXT: %[[ID:.*]] = call i64 @llvm.umax.i64(i64 %[[A]], i64 %[[B]])
; CHECK-NEXT: %v = call double asm sideeffect "1:{{.*}}movsd{{.*}}culprit_accesses{{.*}} %p,
; CHECK: store i64 %[[ID]]
define void @both(ptr %p) {
  %v = load double, ptr %p, align 8
  store double %v, ptr %p, align 8
  ret void
}
; A byte is put among others: whoever put it there defines them. So does who widens it.
; CHECK-LABEL: define void @part(
; CHECK: or i64 %{{.*}}, 2
; CHECK: call void asm sideeffect "1:{{.*}}movb{{.*}}culprit_accesses{{.*}} %q, i8 %v,
; CHECK: or i64 %{{.*}}, 3
; CHECK: store i64 %w, ptr %q
define void @part(ptr %p, ptr %q) {
  %v = load i8, ptr %p
  store i8 %v, ptr %q
  %w = sext i8 %v to i64
  store i64 %w, ptr %q, align 8
  ret void
}
; A copy that leaves the variable it is meant for is a definition.
; CHECK-LABEL: define void @astray(
; CHECK: %[[OUT:.*]] = icmp uge i64 %i, 10
; CHECK-NEXT: br i1 %[[OUT]], label %[[ASTRAY:.*]], label %[[THERE:.*]], !prof
; CHECK: [[ASTRAY]]:
; CHECK: %[[NEW:.*]] = or i64 %{{.*}}, 4
; CHECK: [[THERE]]:
; CHECK-NEXT: %[[ID:.*]] = phi i64 [ %[[OLD:.*]], %0 ], [ %[[NEW]], %[[ASTRAY]] ]
; CHECK: store i64 %[[ID]], ptr
; CHECK-NEXT: call void asm sideeffect "1:{{.*}}movl{{.*}}culprit_accesses{{.*}} %a, i32 %v,
; So is one that writes where nothing has an id, as behind a block.
; CHECK: %[[CELL:.*]] = load i64, ptr
; CHECK-NEXT: icmp eq i64 %[[CELL]], 0
; CHECK: call void asm sideeffect "1:{{.*}}movl{{.*}}culprit_accesses{{.*}} %b, i32 %v,
@table = global [10 x i32] zeroinitializer
define void @astray(ptr %p, i64 %i, i32 %v) {
  %a = getelementptr [10 x i32], ptr @table, i64 0, i64 %i
  store i32 %v, ptr %a, align 4
  %b = getelementptr i32, ptr %p, i64 %i
  store i32 %v, ptr %b, align 4
  ret void
}
