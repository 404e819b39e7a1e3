; A module notes the order of its variables before it is merged with others; the merged module's get the order noted, those of
; nobody's module first.
; RUN: opt -load-pass-plugin=%plugin -culprit-flavour=trace -passes=culprit-prepare -S %s | FileCheck --check-prefix=NOTED %s
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
; NOTED: !culprit.global_order = !{![[#]], ![[#]], ![[#OWN:]]}
; NOTED: ![[#OWN]] = !{ptr @third, ptr @first, ptr @second}
; CHECK: @first = global
; CHECK-NEXT: @second = global
; CHECK-NEXT: @third = global
; CHECK-NOT: culprit.global_order
@third = global i32 0
@first = global i32 0
@second = global i32 0
@elsewhere = external global i32
!culprit.flavour = !{!0}
!culprit.global_order = !{!1, !2}
!0 = !{!"trace"}
!1 = !{ptr @first, null, ptr @second}
!2 = !{ptr @third, ptr @first}
