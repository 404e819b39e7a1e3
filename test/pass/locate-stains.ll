; Whether something is corrupt is asked of a stain first: the id is read only where there is one. Code that writes ids by itself sets stains or copies them.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
; RUN: sed 's/"suppress"/"trace"/' %s | opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S | FileCheck %s --check-prefix=TRACE
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!culprit.main = !{!1}
!0 = !{!"suppress"}
!1 = !{}
; TRACE-NOT: 52776553934848
; TRACE-NOT: load i32, ptr @__culprit_armed

; CHECK-LABEL: define void @adds_members(
; CHECK: call i64 @culprit.id_if_stained.4.4(ptr %p)
; CHECK: call i64 @culprit.id_if_stained.4.4(ptr %second)
; CHECK: ret void
define void @adds_members(ptr %p, ptr %q) {
  %low = load i32, ptr %p
  %second = getelementptr i8, ptr %p, i64 4
  %high = load i32, ptr %second
  %sum = add i32 %low, %high
  store i32 %sum, ptr %q
  ret void
}

; CHECK-LABEL: define void @copies(
; CHECK: call void @llvm.memmove
; CHECK: load i32, ptr @__culprit_armed
; CHECK: %[[STAIN:.*]] = load i8, ptr %{{.*}}, align 1, !tbaa ![[#STAINS:]]
; CHECK: or i8 %{{.*}}, %[[STAIN]]
; CHECK: store i8
; CHECK: or i8 %{{.*}}, %[[STAIN]]
; CHECK: store i8
define void @copies(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 %q, i64 32, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; An atomic access has no blocks of its own for what is corrupt.
; CHECK-LABEL: define i32 @counts(
; CHECK: atomicrmw add
; CHECK: br i1
; CHECK: call {{.*}}@__culprit_stain(ptr %{{.*}}, i64 4)
define i32 @counts(ptr %p) {
  %old = atomicrmw add ptr %p, i32 1 seq_cst
  ret i32 %old
}

; CHECK-LABEL: define linkonce_odr hidden i64 @culprit.id_if_stained.4.4(ptr %0)
; CHECK: lshr i32 %{{.*}}, 10
; CHECK: add i64 %{{.*}}, 52776553934848
; CHECK: load i8, ptr %{{.*}}, align 1, !tbaa ![[#STAINS]]
; CHECK: br i1
; CHECK: stained:
; CHECK: add i64 %{{.*}}, 52776558133248
; CHECK: clean:
; CHECK-NEXT: ret i64 0

; CHECK: ![[#STAINS]] = !{![[#S:]], !{{[0-9]+}}, i64 0}
; CHECK: ![[#S]] = !{!"stains", !{{[0-9]+}}, i64 0}
