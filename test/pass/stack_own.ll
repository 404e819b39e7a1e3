; In the main unit watched variables own their granules, and the code writes their tags itself once it has them: it asks
; the runtime as long as there are none, or below everything the thread has named.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!culprit.main = !{!1}
!0 = !{!"access"}
!1 = !{}
declare void @use(ptr)
declare i32 @out(i32)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)

; CHECK: @__culprit_lowest_local = external thread_local(initialexec) global i64

; A scalar fills a granule with its gap; the return slot has one, too.
; CHECK-LABEL: define i32 @scalar(
; CHECK: %x = alloca { i32, [6 x i16] }, align 16
; CHECK: %[[SLOT:.*]] = call ptr @llvm.addressofreturnaddress.p0()
; CHECK: %[[TAGS:.*]] = load i64, ptr getelementptr inbounds (i8, ptr @[[OF_SLOT:culprit.local[.0-9]*]], i64 40), align 8, !nosanitize
; CHECK: %[[N:.*]] = ptrtoint ptr %[[SLOT]] to i64
; CHECK: %[[WHERE:.*]] = call {{.*}}@llvm.threadlocal.address.p0(ptr @__culprit_lowest_local)
; CHECK: %[[LOWEST:.*]] = load i64, ptr %[[WHERE]], align 8, !nosanitize
; CHECK: %[[BELOW:.*]] = icmp ult i64 %[[N]], %[[LOWEST]]
; CHECK: %[[NONE:.*]] = icmp eq i64 %[[TAGS]], 0
; CHECK: %[[ASKS:.*]] = or i1 %[[NONE]], %[[BELOW]]
; CHECK: br i1 %[[ASKS]], label %[[SLOWLY:.*]], label %[[ITSELF:.*]], !prof
; CHECK: [[SLOWLY]]:
; CHECK: call preserve_allcc void @__culprit_local_owns(ptr %[[SLOT]], ptr @[[OF_SLOT]], ptr null)
; CHECK: [[ITSELF]]:
; CHECK: %[[TAG:.*]] = trunc i64 %{{.*}} to i16
; CHECK: store i16 %[[TAG]], ptr addrspace(256) %{{.*}}, align 2, !nosanitize
; CHECK: call preserve_allcc void @__culprit_local_owns(ptr %x, ptr @{{.*}}, ptr @{{.*}})
; CHECK: call void @use(ptr %x)
; CHECK: call preserve_allcc void @__culprit_local_owned(ptr %x, i64 16)
; CHECK: store i16 0, ptr addrspace(256)
; CHECK: call preserve_allcc void @__culprit_local_owned(ptr %{{.*}}, i64 8)
; CHECK: store i16 0, ptr addrspace(256)
; CHECK: %r = tail call i32 @out(i32 3)
; CHECK-NEXT: ret i32 %r
define i32 @scalar() {
  %x = alloca i32
  call void @use(ptr %x)
  %r = tail call i32 @out(i32 3)
  ret i32 %r
}

; Three granules, by its lifetime.
; CHECK-LABEL: define void @array(
; CHECK: %x = alloca { [40 x i8], [4 x i16] }, align 16
; CHECK: call void @llvm.lifetime.start.p0(i64 48, ptr %x)
; CHECK: call preserve_allcc void @__culprit_local_owns(ptr %x,
; CHECK: store i32 %{{.*}}, ptr addrspace(256) %{{.*}}, align 2
; CHECK: store i16 %{{.*}}, ptr addrspace(256) %{{.*}}, align 2
; CHECK: call preserve_allcc void @__culprit_local_owned(ptr %x, i64 48)
; CHECK: store i32 0, ptr addrspace(256) %{{.*}}, align 2
; CHECK: store i16 0, ptr addrspace(256) %{{.*}}, align 2
; CHECK: call void @llvm.lifetime.end.p0(i64 48, ptr %x)
define void @array() {
  %x = alloca [40 x i8]
  call void @llvm.lifetime.start.p0(i64 40, ptr %x)
  call void @use(ptr %x)
  call void @llvm.lifetime.end.p0(i64 40, ptr %x)
  ret void
}

; Too large for a word of tags: named by the runtime, but alone in its granules; the slot still is.
; CHECK-LABEL: define void @large(
; CHECK: %x = alloca { [100 x i8], [6 x i16] }, align 16
; CHECK: call preserve_allcc void @__culprit_local_owns(ptr %{{.*}}, ptr @{{.*}}, ptr null)
; CHECK: call void @__culprit_local_on(ptr %x,
; CHECK: call void @__culprit_local_off(ptr %x, i64 112)
define void @large() {
  %x = alloca [100 x i8]
  call void @use(ptr %x)
  ret void
}

; Beside a variable of variable length the return slot may share its granule. Static variables stay in the entry block.
; CHECK-LABEL: define void @sized(
; CHECK: %y = alloca { i64, [4 x i16] }, align 16
; CHECK-NOT: br i1
; CHECK: call void @__culprit_local_on(ptr %{{.*}}, ptr @{{.*}})
; CHECK: %x = alloca i32, i32 %n
define void @sized(i32 %n) {
  %m = add i32 %n, 1
  %y = alloca i64
  %x = alloca i32, i32 %n
  call void @use(ptr %x)
  call void @use(ptr %y)
  ret void
}
