; A module that was not prepared for an instrumented flavour stays as it is, and one that was is
; instrumented once.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-monitor' -S %s | FileCheck --check-prefix=NOTHING %s
; NOTHING-NOT: culprit
; RUN: opt -load-pass-plugin=%plugin -load=%plugin -passes='culprit-prepare' -culprit-flavour=base -S %s | FileCheck --check-prefix=NOTHING %s
; RUN: opt -load-pass-plugin=%plugin -load=%plugin -passes='culprit-prepare' -culprit-flavour=monitor -S %s | FileCheck --check-prefix=PREPARED %s
; PREPARED: define void @f(ptr %p) #[[#A:]]
; PREPARED: attributes #[[#A]] = { "frame-pointer"="all" }
; PREPARED: !culprit.flavour = !{![[#F:]]}
; PREPARED: ![[#F]] = !{!"monitor"}
; RUN: opt -load-pass-plugin=%plugin -load=%plugin -passes='culprit-prepare,culprit-monitor,culprit-monitor' -culprit-flavour=monitor -S %s | FileCheck %s
; CHECK-COUNT-1: call preserve_allcc void @__culprit_card_dirty
; CHECK-NOT: __culprit_card_dirty(
; CHECK: declare preserve_allcc void @__culprit_card_dirty(ptr)
; CHECK-NOT: culprit.flavour
define void @f(ptr %p) {
  store ptr null, ptr %p
  ret void
}
