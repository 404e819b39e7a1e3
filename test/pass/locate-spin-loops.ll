; Loops that may wait for another thread count down and let others run: by an atomic or volatile load, an
; exchange, or a member of std::atomic. Others do not, and none in a program that starts no thread.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
; RUN: sed 's/pthread_create/some_create/' %s | opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S | FileCheck %s --check-prefix=NONE
; NONE-NOT: __culprit_spins
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"trace"}

declare i32 @pthread_create(ptr, ptr, ptr, ptr)
@flag = global i32 0

define void @main_part() {
  call i32 @pthread_create(ptr null, ptr null, ptr @spin, ptr null)
  ret void
}

; CHECK-LABEL: define {{.*}}void @spin(
; CHECK: loop:
; CHECK-NEXT: %[[BEFORE:.*]] = load i32, ptr @__culprit_spins
; CHECK-NEXT: %[[LEFT:.*]] = sub i32 %[[BEFORE]], 1
; CHECK-NEXT: store i32 %[[LEFT]], ptr @__culprit_spins
; CHECK-NEXT: %[[OVER:.*]] = icmp slt i32 %[[LEFT]], 0
; CHECK-NEXT: br i1 %[[OVER]], label %[[RARE:.*]], label
; CHECK: [[RARE]]:
; CHECK-NEXT: call preserve_allcc void @__culprit_spun()
define void @spin(ptr %p) {
  br label %loop
loop:
  %v = load atomic i32, ptr @flag acquire, align 4
  %t = icmp eq i32 %v, 0
  br i1 %t, label %loop, label %end
end:
  ret void
}

define internal i32 @member(ptr %p) {
  %v = load atomic i32, ptr %p acquire, align 4
  ret i32 %v
}

; CHECK-LABEL: define {{.*}}void @spin_by_member(
; CHECK: __culprit_spun
; CHECK: ret void
define void @spin_by_member() {
  br label %loop
loop:
  %v = call i32 @member(ptr @flag)
  %t = icmp eq i32 %v, 0
  br i1 %t, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define {{.*}}void @spin_by_exchange(
; CHECK: __culprit_spun
; CHECK: ret void
define void @spin_by_exchange() {
  br label %loop
loop:
  %v = atomicrmw xchg ptr @flag, i32 1 acquire
  %t = icmp ne i32 %v, 0
  br i1 %t, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define {{.*}}void @work(
; CHECK-NOT: __culprit_spins
; CHECK: ret void
define void @work(i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %next = add i32 %i, 1
  %old = atomicrmw add ptr @flag, i32 1 monotonic
  %t = icmp slt i32 %next, %n
  br i1 %t, label %loop, label %end
end:
  ret void
}
