; A struct that is returned in registers has an id for each member, also where it is loaded and stored as one value; that of a
; function that others may call has one.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
; RUN: sed 's/"trace"/"suppress"/' %s | opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!culprit.main = !{!1}
!0 = !{!"trace"}
!1 = !{}
; CHECK-LABEL: define internal { { ptr, i64 }, i64, i64 } @slice(
; CHECK: %[[FIRST:.*]] = insertvalue { { ptr, i64 }, i64, i64 } %{{.*}}, i64 %[[A:.*]], 1
; CHECK: %[[BOTH:.*]] = insertvalue { { ptr, i64 }, i64, i64 } %[[FIRST]], i64 %[[B:.*]], 2
; CHECK: ret { { ptr, i64 }, i64, i64 } %[[BOTH]]
define internal { ptr, i64 } @slice(ptr %at) {
  %slice = load { ptr, i64 }, ptr %at
  ret { ptr, i64 } %slice
}
; A constant in it is a definition.
; CHECK-LABEL: define internal { { ptr, i64 }, i64, i64 } @nothing(
; CHECK: %[[NULL:.*]] = or i64 %{{.*}}, [[#]]
; CHECK: ret { { ptr, i64 }, i64, i64 }
define internal { ptr, i64 } @nothing(i64 %n) {
  %all = insertvalue { ptr, i64 } { ptr null, i64 poison }, i64 %n, 1
  ret { ptr, i64 } %all
}
; CHECK-LABEL: define void @keeps(
; CHECK: call { { ptr, i64 }, i64, i64 } @slice(
; CHECK-DAG: extractvalue { { ptr, i64 }, i64, i64 } %{{.*}}, 1
; CHECK-DAG: extractvalue { { ptr, i64 }, i64, i64 } %{{.*}}, 2
; CHECK-NOT: store { ptr, i64 }
; CHECK: ret void
define void @keeps(ptr %at, ptr %to, i64 %n) {
  %slice = call { ptr, i64 } @slice(ptr %at)
  store { ptr, i64 } %slice, ptr %to
  %none = call { ptr, i64 } @nothing(i64 %n)
  store { ptr, i64 } %none, ptr %at
  ret void
}
; CHECK-LABEL: define { ptr, i64 } @open(
define { ptr, i64 } @open(ptr %at) {
  %slice = load { ptr, i64 }, ptr %at
  ret { ptr, i64 } %slice
}
