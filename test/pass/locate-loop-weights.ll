; What ends a loop, or goes round it again, says how often: the branch on what is corrupt before it mostly leads to the
; same place, and is made one with it. Weights that are there stay; other branches get none.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
; RUN: sed 's/suppress/trace/' %s | opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S | FileCheck %s --check-prefix=TRACE
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"suppress"}
!1 = !{!"branch_weights", i32 7, i32 9}
; CHECK-LABEL: define i32 @rounds(
; CHECK: br i1 %t, label %odd, label %even{{$}}
; CHECK: br i1 %more, label %loop, label %second, !prof ![[ROUND:.*]]
; CHECK: br i1 %again, label %second, label %end, !prof ![[OWN:.*]]
; CHECK-DAG: ![[ROUND]] = !{!"branch_weights", i32 1015808, i32 32768}
; CHECK-DAG: ![[OWN]] = !{!"branch_weights", i32 7, i32 9}
; TRACE: br i1 %more, label %loop, label %second{{$}}
define i32 @rounds(i32 %c, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %c, %entry ], [ %next, %even ]
  %bit = and i32 %i, %n
  %t = icmp eq i32 %bit, 0
  br i1 %t, label %odd, label %even
odd:
  br label %even
even:
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %second
second:
  %j = phi i32 [ %n, %even ], [ %less, %second ]
  %less = sub i32 %j, 1
  %again = icmp sgt i32 %less, %c
  br i1 %again, label %second, label %end, !prof !1
end:
  ret i32 %less
}
