; Which writes are followed by a check of their card: what decides is the location, never the value.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S %s | FileCheck %s
!culprit.flavour = !{!0}
!0 = !{!"monitor"}

; CHECK-LABEL: define void @pointer(
; CHECK: store ptr %v, ptr %p
; CHECK-NEXT: %[[N:[0-9]+]] = ptrtoint ptr %p to i64
; CHECK-NEXT: %[[S:[0-9]+]] = lshr i64 %[[N]], 7
; CHECK-NEXT: %[[A:[0-9]+]] = add nuw nsw i64 %[[S]], 536870912
; CHECK-NEXT: %[[C:[0-9]+]] = inttoptr i64 %[[A]] to ptr
; CHECK-NEXT: %[[M:[0-9]+]] = load i8, ptr %[[C]], align 1, !nosanitize
; CHECK-NEXT: %[[Z:[0-9]+]] = icmp eq i8 %[[M]], 0
; CHECK-NEXT: br i1 %[[Z]], label %{{.*}}, label %{{.*}}, !prof ![[#RARE:]]
; CHECK: call preserve_allcc void @__culprit_card_dirty(ptr %p)
; CHECK: ret void
define void @pointer(ptr %p, ptr %v) {
  store ptr %v, ptr %p, align 8
  ret void
}
; Zero over a pointer ends an edge.
; CHECK-LABEL: define void @null(
; CHECK: call preserve_allcc void @__culprit_card_dirty
define void @null(ptr %p) {
  store ptr null, ptr %p, align 8, !tbaa !10
  ret void
}
; CHECK-LABEL: define void @long(
; CHECK: call preserve_allcc void @__culprit_card_dirty
define void @long(ptr %p) {
  store i64 7, ptr %p, align 8, !tbaa !12
  ret void
}
; A double with the type of characters is a member of a union.
; CHECK-LABEL: define void @double_in_union(
; CHECK: call preserve_allcc void @__culprit_card_dirty
define void @double_in_union(ptr %p) {
  store double 1.0, ptr %p, align 8, !tbaa !14
  ret void
}
; CHECK-LABEL: define void @int_in_union(
; CHECK: call preserve_allcc void @__culprit_card_dirty
define void @int_in_union(ptr %p) {
  store i32 1, ptr %p, align 4, !tbaa !14
  ret void
}
; CHECK-LABEL: define void @int_of_unknown_type(
; CHECK: call preserve_allcc void @__culprit_card_dirty
define void @int_of_unknown_type(ptr %p) {
  store i32 1, ptr %p, align 4
  ret void
}
; CHECK-LABEL: define void @vector(
; CHECK: call preserve_allcc void @__culprit_card_dirty
define void @vector(ptr %p, <2 x ptr> %v) {
  store <2 x ptr> %v, ptr %p, align 16
  ret void
}
; A vector that may lie on two cards: its first and its last byte.
; CHECK-LABEL: define void @unaligned_vector(
; CHECK: call preserve_allcc void @__culprit_card_dirty(ptr %p)
; CHECK: %[[LAST:.*]] = getelementptr i8, ptr %p, i64 15
; CHECK: call preserve_allcc void @__culprit_card_dirty(ptr %[[LAST]])
define void @unaligned_vector(ptr %p, <2 x ptr> %v) {
  store <2 x ptr> %v, ptr %p, align 8
  ret void
}
; CHECK-LABEL: define void @aggregate(
; CHECK: call preserve_allcc void @__culprit_card_dirty
define void @aggregate(ptr %p, {i64, ptr} %v) {
  store {i64, ptr} %v, ptr %p, align 8
  ret void
}
; CHECK-LABEL: define void @atomics(
; CHECK: atomicrmw xchg
; CHECK: cmpxchg
; CHECK: call preserve_allcc void @__culprit_card_dirty(ptr %p)
; CHECK: call preserve_allcc void @__culprit_card_dirty(ptr %q)
define void @atomics(ptr %p, ptr %q, ptr %v) {
  %old = atomicrmw xchg ptr %p, ptr %v seq_cst, align 8
  %pair = cmpxchg ptr %q, ptr %old, ptr %v seq_cst seq_cst, align 8
  ret void
}
; The same function in another flavour may be declared to touch no memory: no longer.
; CHECK: define void @declared_pure(ptr %p) {
define void @declared_pure(ptr %p) memory(argmem: write) {
  store i64 0, ptr %p, align 8
  ret void
}

; From here on: nothing.
; CHECK-LABEL: define void @numbers(
; CHECK-NOT: culprit
; CHECK: define void @counter(
; CHECK-NOT: culprit
; CHECK: define void @outside(
; CHECK-NOT: culprit
; CHECK: define void @by_value(
; CHECK-NOT: culprit
; CHECK: declare
define void @numbers(ptr %p) {
  store double 1.0, ptr %p, align 8, !tbaa !16
  store <4 x i32> zeroinitializer, ptr %p, align 16, !tbaa !18
  store i32 1, ptr %p, align 4, !tbaa !18
  store i8 1, ptr %p, align 1, !tbaa !14
  store i16 1, ptr %p, align 2
  ret void
}
define void @counter(ptr %p) {
  %old = atomicrmw add ptr %p, i32 1 seq_cst, align 4
  ret void
}
@global = global [4 x ptr] zeroinitializer
@local_to_thread = thread_local global ptr null
define void @outside(i1 %c, i64 %i, ptr %v) {
  %local = alloca [4 x ptr], align 8
  %in_local = getelementptr [4 x ptr], ptr %local, i64 0, i64 %i
  store ptr %v, ptr %in_local, align 8
  %in_global = getelementptr [4 x ptr], ptr @global, i64 0, i64 %i
  store ptr %v, ptr %in_global, align 8
  %either = select i1 %c, ptr %in_local, ptr %in_global
  store ptr %v, ptr %either, align 8
  %own = call ptr @llvm.threadlocal.address.p0(ptr @local_to_thread)
  store ptr %v, ptr %own, align 8
  ret void
}
define void @by_value(ptr byval({ptr, ptr}) %p, ptr %v) {
  store ptr %v, ptr %p, align 8
  ret void
}

!10 = !{!11, !11, i64 0}
!11 = !{!"any pointer", !15, i64 0}
!12 = !{!13, !13, i64 0}
!13 = !{!"long", !15, i64 0}
!14 = !{!15, !15, i64 0}
!15 = !{!"omnipotent char", !20, i64 0}
!16 = !{!17, !17, i64 0}
!17 = !{!"double", !15, i64 0}
!18 = !{!19, !19, i64 0}
!19 = !{!"int", !15, i64 0}
!20 = !{!"Simple C/C++ TBAA"}
