; The online semantics: the region of a pointer goes beside it. A result of malloc makes one, arithmetic keeps it, a store puts it
; into the cell of the word, a load reads it from there; it is handed over with arguments, and an open function looks whether
; they are meant for it. A number of four bytes has none.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-explain,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"index-online"}
!culprit.main = !{!1}
!1 = !{}
declare ptr @malloc(i64)
@kept = internal global ptr null
@number = internal global i32 0

; CHECK-LABEL: define internal void @closed(
; CHECK:         %[[REGION:.*]] = load i64, ptr %{{.*}}
; CHECK-NOT:     icmp eq
; CHECK:         %q = getelementptr i8, ptr %p, i64 100
; CHECK:         store i64 %[[REGION]], ptr %{{.*}}
; CHECK-NEXT:    store ptr %q, ptr @kept
; CHECK-NEXT:    store i32 1, ptr @number
; CHECK-NEXT:    ret void
define internal void @closed(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 100
  store ptr %q, ptr @kept
  store i32 1, ptr @number
  ret void
}

; CHECK-LABEL: define ptr @open(
; CHECK:         %[[MEANT:.*]] = icmp eq i64 %{{.*}}, ptrtoint (ptr @open to i64)
; CHECK-NEXT:    %[[REGION:.*]] = select i1 %[[MEANT]], i64 %{{.*}}, i64 0
; CHECK:         store i64 %[[REGION]], ptr %{{.*}}
; CHECK:         ret ptr %p
define ptr @open(ptr %p) {
  ret ptr %p
}

; CHECK-LABEL: define i32 @main(
; CHECK:         %p = call ptr @malloc(i64 8)
; CHECK:         %[[MADE:.*]] = ptrtoint ptr %p to i64
; CHECK:         store i64 %[[MADE]], ptr %{{.*}}
; CHECK:         call void @closed(ptr %p)
; CHECK:         %v = load ptr, ptr @kept
; CHECK-NEXT:    %[[MASKED:.*]] = and i64 ptrtoint (ptr @kept to i64), 35184372088824
; CHECK-NEXT:    %[[CELL:.*]] = add i64 %[[MASKED]], 52776558133248
; CHECK-NEXT:    %[[AT:.*]] = inttoptr i64 %[[CELL]] to ptr
; CHECK-NEXT:    %[[READ:.*]] = load i64, ptr %[[AT]]
; CHECK:         store i64 %[[READ]], ptr %{{.*}}
; CHECK:         store i64 ptrtoint (ptr @open to i64), ptr %{{.*}}
; CHECK:         call ptr @open(ptr %v)
define i32 @main() {
  %p = call ptr @malloc(i64 8)
  call void @closed(ptr %p)
  %v = load ptr, ptr @kept
  %w = call ptr @open(ptr %v)
  ret i32 0
}
