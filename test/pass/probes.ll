; A function that stores, or calls what may, is counted at its entry; an accessor or a recursive walk
; is not. After the optimiser a
; block subtracts what it has, and the user's own probes stay.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-probes' -S %s | FileCheck --check-prefix=PROBES %s
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-probes,cgscc(inline),culprit-monitor,verify' -S %s | FileCheck %s
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-probes' -S %s | opt -passes='default<O2>' -S | FileCheck --check-prefix=FREE %s
; In a flavour that neither makes metric points nor counts accesses nobody asks for the countdown.
; RUN: sed 's/!"monitor"/!"access-reads"/' %s | opt -load-pass-plugin=%plugin -passes='culprit-probes,culprit-monitor,verify' -S | FileCheck --check-prefix=NONE %s
; RUN: sed 's/!"monitor"/!"access-count"/' %s | opt -load-pass-plugin=%plugin -passes='culprit-probes,culprit-monitor,verify' -S | FileCheck --check-prefix=COUNT %s
; NONE-NOT: __culprit_work_done
; NONE-NOT: call void @llvm.pseudoprobe(i64 32767037531780451
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"monitor"}
declare void @llvm.pseudoprobe(i64, i64, i32, i64)
declare void @work()

; PROBES-LABEL: define i32 @accessor(
; PROBES-NOT: pseudoprobe
; PROBES: ret i32
define i32 @accessor(ptr %p) {
  %slot = alloca ptr
  store ptr %p, ptr %slot
  %q = load ptr, ptr %slot
  %v = load i32, ptr %q
  ret i32 %v
}
; PROBES-LABEL: define i64 @sum(
; PROBES-NOT: pseudoprobe
; PROBES: ret i64
define i64 @sum(ptr %p) {
entry:
  %null = icmp eq ptr %p, null
  br i1 %null, label %done, label %walk
walk:
  %next = load ptr, ptr %p
  %rest = call i64 @sum(ptr %next)
  %more = add i64 %rest, 1
  br label %done
done:
  %r = phi i64 [ 0, %entry ], [ %more, %walk ]
  ret i64 %r
}
; Writes, but no pointer: marked as what only counting without the heap graph asks for.
; PROBES-LABEL: define void @numbers(
; PROBES: call void @llvm.pseudoprobe(i64 32767037531780451, i64 2, i32 0, i64 -1)
; PROBES: ret void
; CHECK-LABEL: define void @numbers(
; CHECK-NOT: @__culprit_countdown
; CHECK: ret void
; COUNT-LABEL: define void @numbers(
; COUNT: call preserve_allcc void @__culprit_work_done()
; COUNT: ret void
define void @numbers(ptr %p) {
  store double 1.0, ptr %p, !tbaa !3
  ret void
}
; PROBES-LABEL: define void @both(
; PROBES: pseudoprobe
; PROBES-LABEL: define void @other(
; PROBES: pseudoprobe
define void @both(ptr %p) {
  call void @other(ptr %p)
  ret void
}
define void @other(ptr %p) {
  call void @both(ptr %p)
  store ptr %p, ptr %p
  ret void
}
; PROBES-LABEL: define internal void @setter(
; PROBES: call void @llvm.pseudoprobe(i64 32767037531780451, i64 1, i32 0, i64 -1)
; PROBES: store
define internal void @setter(ptr %p) {
  store ptr %p, ptr %p
  ret void
}
; PROBES-LABEL: define void @caller(
; PROBES: alloca
; PROBES-NEXT: call void @llvm.pseudoprobe(i64 32767037531780451,
; Its own entry and two that were inlined, in one subtraction; numbers is inlined, too, and not counted.
; CHECK-LABEL: define void @caller(
; CHECK: %[[T:.*]] = call ptr @llvm.threadlocal.address.p0(ptr @__culprit_countdown)
; CHECK-NEXT: %[[OLD:.*]] = load i64, ptr %[[T]]
; CHECK-NEXT: %[[NEW:.*]] = sub i64 %[[OLD]], 3
; CHECK-NEXT: store i64 %[[NEW]], ptr %[[T]]
; CHECK-NEXT: %[[DUE:.*]] = icmp slt i64 %[[NEW]], 0
; CHECK-NEXT: br i1 %[[DUE]], label %[[THEN:.*]], label %{{.*}}, !prof
; CHECK: [[THEN]]:
; CHECK-NEXT: call preserve_allcc void @__culprit_work_done()
; CHECK-NOT: call void @llvm.pseudoprobe(i64 32767037531780451
; CHECK: call void @llvm.pseudoprobe(i64 77, i64 1, i32 0, i64 -1)
define void @caller(ptr %p) {
  %local = alloca ptr
  call void @setter(ptr %p)
  call void @numbers(ptr %p)
  call void @setter(ptr %local)
  call void @llvm.pseudoprobe(i64 77, i64 1, i32 0, i64 -1)
  ret void
}
; The optimiser is not held up: a loop whose calls are inlined is still vectorised.
; FREE-LABEL: define void @fill(
; FREE: vector.body:
; FREE: store <{{[0-9]+}} x ptr>
define void @fill(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr ptr, ptr %p, i64 %i
  call void @setter(ptr %q)
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
; CHECK: declare preserve_allcc void @__culprit_work_done()
!1 = !{!"Simple C/C++ TBAA"}
!2 = !{!"double", !1, i64 0}
!3 = !{!2, !2, i64 0}
