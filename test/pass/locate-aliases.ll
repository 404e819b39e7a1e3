; The program's memory and the variables shared with the runtime are of two kinds; shadow memory is of the program's. What
; the runtime's hooks do to ids is of a kind above that, and above stains.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"trace"}
; CHECK-LABEL: define void @both(
; CHECK: load i64, ptr @__culprit_clock, align 8, !tbaa ![[#RUNTIME:]]
; CHECK: store i64 %{{.*}}, ptr @__culprit_clock, align 8, !tbaa ![[#RUNTIME]]
; CHECK: store i64 %{{.*}}, ptr %{{.*}}, align 8, !tbaa ![[#PROGRAM:]]
; CHECK-NEXT: call void asm sideeffect "1:{{.*}}culprit_accesses{{.*}} %p, i32 1,{{.*}}, !tbaa ![[#PROGRAM]]
; CHECK: call void @__culprit_define(ptr %p, i64 8, i64 %{{.*}}) #{{[0-9]+}}, !tbaa ![[#HOOKS:]]
; CHECK: call void @other(){{$}}
; CHECK: ![[#RUNTIME]] = !{![[#R:]], !{{[0-9]+}}, i64 0}
; CHECK: ![[#R]] = !{!"runtime", ![[#ROOT:]], i64 0}
; CHECK: ![[#PROGRAM]] = !{![[#P:]], !{{[0-9]+}}, i64 0}
; CHECK: ![[#P]] = !{!"program", ![[#F:]], i64 0}
; CHECK: ![[#F]] = !{!"fired", ![[#H:]], i64 0}
; CHECK: ![[#H]] = !{!"hooks", ![[#ROOT]], i64 0}
; CHECK: ![[#HOOKS]] = !{![[#H]], ![[#H]], i64 0}
declare void @other()
define void @both(ptr %p) {
  store i32 1, ptr %p, align 4
  store i64 1, ptr %p, align 1
  call void @other()
  ret void
}
