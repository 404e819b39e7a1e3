; Block copies, clears and vector writes under a mask.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S %s | FileCheck %s
!culprit.flavour = !{!0}
!0 = !{!"monitor"}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i32(ptr, i8, i32, i1)
declare void @llvm.masked.store.v4p0.p0(<4 x ptr>, ptr, i32, <4 x i1>)
declare void @llvm.masked.scatter.v2p0.v2p0(<2 x ptr>, <2 x ptr>, i32, <2 x i1>)

; CHECK-LABEL: define void @unknown_length(
; CHECK: call void @llvm.memcpy
; CHECK-NEXT: call void @__culprit_wrote(ptr %p, i64 %n)
; CHECK: call void @llvm.memmove
; CHECK-NEXT: call void @__culprit_wrote(ptr %p, i64 4096)
; CHECK: call void @llvm.memset
; CHECK-NEXT: %[[N:.*]] = zext i32 %m to i64
; CHECK-NEXT: call void @__culprit_wrote(ptr %p, i64 %[[N]])
define void @unknown_length(ptr %p, ptr %q, i64 %n, i32 %m) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 4096, i1 false)
  call void @llvm.memset.p0.i32(ptr %p, i8 0, i32 %m, i1 false)
  ret void
}
; At most a card long: the first and the last byte.
; CHECK-LABEL: define void @short(
; CHECK-NOT: wrote
; CHECK: call preserve_allcc void @__culprit_card_dirty(ptr %p)
; CHECK: %[[LAST:.*]] = getelementptr i8, ptr %p, i64 127
; CHECK: call preserve_allcc void @__culprit_card_dirty(ptr %[[LAST]])
define void @short(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 %q, i64 128, i1 false)
  ret void
}
; CHECK-LABEL: define void @to_local(
; CHECK-NOT: culprit
; CHECK: ret void
define void @to_local(ptr %q, i64 %n) {
  %local = alloca [64 x i8]
  call void @llvm.memcpy.p0.p0.i64(ptr %local, ptr %q, i64 %n, i1 false)
  ret void
}
; CHECK-LABEL: define void @masked(
; CHECK: call void @llvm.masked.store
; CHECK: call preserve_allcc void @__culprit_card_dirty(ptr %p)
; CHECK: call preserve_allcc void @__culprit_card_dirty
define void @masked(ptr %p, <4 x ptr> %v, <4 x i1> %mask) {
  call void @llvm.masked.store.v4p0.p0(<4 x ptr> %v, ptr %p, i32 8, <4 x i1> %mask)
  ret void
}
; A lane that is masked out may hold any address: its length is zero.
; CHECK-LABEL: define void @scattered(
; CHECK: call void @llvm.masked.scatter
; CHECK: %[[M0:.*]] = extractelement <2 x i1> %mask, i64 0
; CHECK: %[[L0:.*]] = select i1 %[[M0]], i64 8, i64 0
; CHECK: call void @__culprit_wrote(ptr %{{.*}}, i64 %[[L0]])
; CHECK: call void @__culprit_wrote(
define void @scattered(<2 x ptr> %p, <2 x ptr> %v, <2 x i1> %mask) {
  call void @llvm.masked.scatter.v2p0.v2p0(<2 x ptr> %v, <2 x ptr> %p, i32 8, <2 x i1> %mask)
  ret void
}
