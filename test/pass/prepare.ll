; -O0 marks every function optnone and noinline: both go. A noinline of the user's own stays.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-prepare' -S %s | FileCheck %s
; CHECK-LABEL: define void @from_O0()
; CHECK-SAME: #[[#FREE:]]
; CHECK-LABEL: define void @by_the_user()
; CHECK-SAME: #[[#KEPT:]]
; CHECK: attributes #[[#FREE]] = { nounwind }
; CHECK: attributes #[[#KEPT]] = { noinline nounwind }
define void @from_O0() #0 {
  ret void
}
define void @by_the_user() #1 {
  ret void
}
attributes #0 = { noinline nounwind optnone }
attributes #1 = { noinline nounwind }
