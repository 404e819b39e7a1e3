; Writes at constant distances share checks, and checks wait for the next instruction that can reach
; a metric point.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S %s | FileCheck %s
!culprit.flavour = !{!0}
!0 = !{!"monitor"}

; Four words of one object: the first and the last are enough.
; CHECK-LABEL: define void @four_members(
; CHECK-COUNT-4: store ptr
; CHECK: call preserve_allcc void @__culprit_card_dirty(ptr %p)
; CHECK: %[[LAST:.*]] = getelementptr i8, ptr %p, i64 24
; CHECK: call preserve_allcc void @__culprit_card_dirty(ptr %[[LAST]])
; CHECK-NOT: card_dirty
; CHECK: ret void
define void @four_members(ptr %p, ptr %v) {
  %p1 = getelementptr i8, ptr %p, i64 8
  %p2 = getelementptr i8, ptr %p, i64 16
  %p3 = getelementptr i8, ptr %p, i64 24
  store ptr %v, ptr %p2, align 8
  store ptr %v, ptr %p, align 8
  store ptr %v, ptr %p3, align 8
  store ptr %v, ptr %p1, align 8
  ret void
}
; One granule of a block that is known to be aligned is on one card.
; CHECK-LABEL: define void @one_granule(
; CHECK-COUNT-1: call preserve_allcc void @__culprit_card_dirty
; CHECK-NOT: card_dirty
; CHECK: ret void
define void @one_granule(ptr align 16 %p, ptr %v) {
  %p1 = getelementptr i8, ptr %p, i64 8
  store ptr %v, ptr %p, align 8
  store ptr %v, ptr %p1, align 8
  ret void
}
; Farther apart than a card: not shared.
; CHECK-LABEL: define void @far(
; CHECK-COUNT-3: call preserve_allcc void @__culprit_card_dirty
; CHECK-NOT: card_dirty
; CHECK: ret void
define void @far(ptr %p, ptr %v) {
  %p1 = getelementptr i8, ptr %p, i64 128
  %p2 = getelementptr i8, ptr %p, i64 4096
  store ptr %v, ptr %p, align 8
  store ptr %v, ptr %p1, align 8
  store ptr %v, ptr %p2, align 8
  ret void
}
; Before a call, and again after it.
; CHECK-LABEL: define void @around_call(
; CHECK: store ptr %v, ptr %p
; CHECK: call preserve_allcc void @__culprit_card_dirty(ptr %p)
; CHECK: call void @four_members
; CHECK: store ptr null, ptr %p
; CHECK: call preserve_allcc void @__culprit_card_dirty(ptr %p)
; CHECK: ret void
define void @around_call(ptr %p, ptr %v) {
  store ptr %v, ptr %p, align 8
  call void @four_members(ptr %p, ptr %v)
  store ptr null, ptr %p, align 8
  ret void
}
; Before an entry probe.
; CHECK-LABEL: define void @around_probe(
; CHECK: store ptr %v, ptr %p
; CHECK: call preserve_allcc void @__culprit_card_dirty(ptr %p)
; CHECK: call preserve_allcc void @__culprit_work_done()
; CHECK: ret void
define void @around_probe(ptr %p, ptr %v) {
  store ptr %v, ptr %p, align 8
  call void @llvm.pseudoprobe(i64 32767037531780451, i64 1, i32 0, i64 -1)
  ret void
}
declare void @llvm.pseudoprobe(i64, i64, i32, i64)
