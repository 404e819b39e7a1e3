; The inline check before an access: tag, row (both behind gs), bit, cold call. Rows of one unit are numbered one after
; the other; an access of a size of its own has a row of its own.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!culprit.main = !{!1}
!0 = !{!"access"}
!1 = !{}

; CHECK: @culprit.access_unit = internal global {{.*}} ptr @culprit.unit, i32 1, i32 0, i32 [[#ROWS:]], i32 0, i32 0, i32 0, i32 0, i32 0, ptr @culprit.rows
; CHECK: @culprit.rows = internal constant [[[#ROWS]] x { i8, i8, i16, i32 }] [{ i8, i8, i16, i32 } { i8 8, i8 0, i16 8, i32 0 }
; CHECK: @__culprit_features = weak constant i8 4

; Aligned to eight bytes it lies in one granule, in one of two places.
; CHECK-LABEL: define void @pointer(
; CHECK-NEXT: %[[P:[0-9]+]] = ptrtoint ptr %p to i64
; CHECK-NEXT: %[[A:[0-9]+]] = freeze i64 %[[P]]
; CHECK-NEXT: %[[G:[0-9]+]] = lshr i64 %[[A]], 4
; CHECK-NEXT: %[[TA:[0-9]+]] = getelementptr i16, ptr addrspace(256) null, i64 %[[G]]
; CHECK-NEXT: %[[T:[0-9]+]] = load i16, ptr addrspace(256) %[[TA]], align 2, !nosanitize
; CHECK-NEXT: %[[TW:[0-9]+]] = zext i16 %[[T]] to i64
; CHECK-NEXT: %[[RT:[0-9]+]] = getelementptr i64, ptr addrspace(256) null, i64 %[[TW]]
; CHECK-NEXT: %[[RA:[0-9]+]] = getelementptr i8, ptr addrspace(256) %[[RT]], i64 -528448
; CHECK-NEXT: %[[R:[0-9]+]] = load i32, ptr addrspace(256) %[[RA]], align 4, !nosanitize
; CHECK-NEXT: %[[LOW:[0-9]+]] = trunc i64 %[[A]] to i32
; CHECK-NEXT: %[[START:[0-9]+]] = and i32 %[[LOW]], 31
; CHECK-NEXT: %[[SHIFTED:[0-9]+]] = lshr i32 %[[R]], %[[START]]
; CHECK-NEXT: %[[K:[0-9]+]] = trunc i32 %[[SHIFTED]] to i1
; CHECK-NEXT: %[[N:[0-9]+]] = xor i1 %[[K]], true
; CHECK-NEXT: br i1 %[[N]], label %{{.*}}, label %{{.*}}, !prof
; CHECK: call preserve_allcc void @__culprit_access(ptr %p, i32 0)
; CHECK: store ptr %v, ptr %p
; CHECK-NOT: culprit_access
; CHECK: ret void
define void @pointer(ptr %p, ptr %v) {
  store ptr %v, ptr %p, align 8
  ret void
}
; No location: one place of the function, another size, another row.
; CHECK-LABEL: define void @two(
; CHECK-NOT: asm
; CHECK: getelementptr i8, ptr addrspace(256) %{{.*}}, i64 -528444
; CHECK: call preserve_allcc void @__culprit_access(ptr %p, i32 1)
; CHECK: store i64
; CHECK: call preserve_allcc void @__culprit_access(ptr %q, i32 2)
; CHECK: store i32
; CHECK: ret void
define void @two(ptr %p, ptr %q) {
  store i64 1, ptr %p, align 8
  store i32 1, ptr %q, align 4
  ret void
}
; May lie across two granules: its last byte is checked with the row of its tail.
; CHECK-LABEL: define void @tail(
; CHECK: call preserve_allcc void @__culprit_access(ptr %p, i32 3)
; CHECK: %[[LAST:[0-9]+]] = getelementptr i8, ptr %p, i64 7
; CHECK: call preserve_allcc void @__culprit_access(ptr %[[LAST]], i32 4)
; CHECK: store i64
define void @tail(ptr %p) {
  store i64 1, ptr %p, align 4
  ret void
}
; At the start of a granule the place is known.
; CHECK-LABEL: define void @aligned(
; CHECK: load i16
; CHECK: %[[R:[0-9]+]] = load i32, ptr addrspace(256) %{{.*}}, align 4, !nosanitize
; CHECK-NEXT: %[[K:[0-9]+]] = trunc i32 %[[R]] to i1
; CHECK-NEXT: xor i1 %[[K]], true
; CHECK: store <2 x i64>
define void @aligned(ptr %p) {
  store <2 x i64> zeroinitializer, ptr %p, align 16
  ret void
}
; In parts of sixteen bytes, each with its tail.
; CHECK-LABEL: define void @wide(
; CHECK: call preserve_allcc void @__culprit_access(ptr %p, i32 [[#HEAD:]])
; CHECK: %[[LAST:[0-9]+]] = getelementptr i8, ptr %p, i64 15
; CHECK: call preserve_allcc void @__culprit_access(ptr %[[LAST]], i32 [[#HEAD+1]])
; CHECK: %[[NEXT:[0-9]+]] = getelementptr i8, ptr %p, i64 16
; CHECK: call preserve_allcc void @__culprit_access(ptr %[[NEXT]], i32 [[#HEAD]])
; CHECK: %[[END:[0-9]+]] = getelementptr i8, ptr %[[NEXT]], i64 15
; CHECK: call preserve_allcc void @__culprit_access(ptr %[[END]], i32 [[#HEAD+1]])
; CHECK: store <4 x double>
define void @wide(ptr %p) {
  store <4 x double> zeroinitializer, ptr %p, align 8
  ret void
}
; Reads are nobody's business here; atomic updates write.
; CHECK-LABEL: define i64 @updates(
; CHECK: load i64, ptr %p
; CHECK-NEXT: ptrtoint ptr %q
; CHECK: call preserve_allcc void @__culprit_access(ptr %q
; CHECK: atomicrmw
; CHECK: call preserve_allcc void @__culprit_access(ptr %r
; CHECK: cmpxchg
; CHECK-NOT: culprit_access
; CHECK: ret i64
define i64 @updates(ptr %p, ptr %q, ptr %r) {
  %v = load i64, ptr %p, align 8
  %o = atomicrmw add ptr %q, i64 1 seq_cst
  %x = cmpxchg ptr %r, i64 %v, i64 %o seq_cst seq_cst
  ret i64 %o
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i32(ptr, i8, i32, i1)
declare void @llvm.masked.store.v2i64.p0(<2 x i64>, ptr, i32, <2 x i1>)
declare void @llvm.masked.scatter.v2i64.v2p0(<2 x i64>, <2 x ptr>, i32, <2 x i1>)
; CHECK-LABEL: define void @blocks(
; CHECK: call void @__culprit_access_range(ptr %p, i64 %n, i32 [[#]])
; CHECK: call void @llvm.memcpy
; CHECK: %[[N:.*]] = zext i32 %m to i64
; CHECK-NEXT: call void @__culprit_access_range(ptr %p, i64 %[[N]], i32 [[#]])
; CHECK: call void @llvm.memset
; CHECK: call void @__culprit_access_range(ptr %p, i64 4096, i32 [[#]])
; CHECK: call void @llvm.memcpy
; CHECK: call preserve_allcc void @__culprit_access(ptr %r
; CHECK: call preserve_allcc void @__culprit_access(
; CHECK: call void @llvm.memcpy
; CHECK: ret void
define void @blocks(ptr %p, ptr %q, ptr %r, i64 %n, i32 %m) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  call void @llvm.memset.p0.i32(ptr %p, i8 0, i32 %m, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 4096, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %r, ptr %q, i64 24, i1 false)
  ret void
}
; CHECK-LABEL: define void @lanes(
; CHECK: %[[S:.*]] = getelementptr i8, ptr %p, i64 8
; CHECK: %[[M:.*]] = extractelement <2 x i1> %mask, i64 1
; CHECK: %[[L:.*]] = select i1 %[[M]], i64 8, i64 0
; CHECK: call void @__culprit_access_range(ptr %[[S]], i64 %[[L]], i32 [[#]])
; CHECK: call void @llvm.masked.store
; CHECK: %[[B:.*]] = extractelement <2 x ptr> %many, i64 1
; CHECK: call void @__culprit_access_range(ptr %[[B]], i64 %{{.*}}, i32 [[#]])
; CHECK: call void @llvm.masked.scatter
define void @lanes(ptr %p, <2 x ptr> %many, <2 x i64> %v, <2 x i1> %mask) {
  call void @llvm.masked.store.v2i64.p0(<2 x i64> %v, ptr %p, i32 8, <2 x i1> %mask)
  call void @llvm.masked.scatter.v2i64.v2p0(<2 x i64> %v, <2 x ptr> %many, i32 8, <2 x i1> %mask)
  ret void
}
; What is likely to be an element of an array: first, are all places of the granule known?
; CHECK-LABEL: define void @element(
; CHECK: %[[W:[0-9]+]] = load i32, ptr addrspace(256) %{{.*}}, align 4, !nosanitize
; CHECK-NEXT: %[[PARTLY:[0-9]+]] = icmp ne i32 %[[W]], -1
; CHECK-NEXT: br i1 %[[PARTLY]], label %{{.*}}, label %{{.*}}, !prof
; CHECK: lshr i32
; CHECK: call preserve_allcc void @__culprit_access(ptr %p,
; CHECK: store i32
define void @element(ptr %p) {
  store i32 1, ptr %p, align 4, !tbaa !10
  ret void
}
; CHECK-LABEL: define void @member(
; CHECK-NOT: icmp
; CHECK: call preserve_allcc void @__culprit_access(ptr %p,
; CHECK: ret void
define void @member(ptr %p) {
  store i32 1, ptr %p, align 4, !tbaa !14
  ret void
}
!10 = !{!11, !11, i64 0}
!11 = !{!"int", !12, i64 0}
!12 = !{!"omnipotent char", !13, i64 0}
!13 = !{!"Simple C/C++ TBAA"}
!14 = !{!15, !11, i64 0}
!15 = !{!"pair", !11, i64 0, !11, i64 4}
