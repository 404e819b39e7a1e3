; Allocations and frees write ids and read what is stored for them: nothing that is known of libc's may be concluded.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
; Inferring attributes anew finds none.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,inferattrs' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"trace"}
declare noalias ptr @malloc(i64 noundef) #0
declare void @free(ptr allocptr nocapture noundef) #1
; CHECK-LABEL: define ptr @use(
; CHECK: call ptr @malloc(i64 8) #[[CALL:[0-9]+]]
define ptr @use(ptr %p) {
  %q = call noalias ptr @malloc(i64 8) #2
  call void @free(ptr %p)
  ret ptr %q
}
attributes #0 = { nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" }
attributes #1 = { nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite) "alloc-family"="malloc" }
attributes #2 = { memory(inaccessiblemem: readwrite) allocsize(0) }
; CHECK-NOT: memory(
; CHECK-NOT: allockind
; CHECK: "no-builtins"
; CHECK: attributes #[[CALL]] = { nobuiltin }
; CHECK-NOT: memory(
