; What a library call reads is looked at before it is made: the newest id of the arguments and of that.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-library-ids,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@literal = private constant [4 x i8] c"abc\00"
@print = private constant [14 x i8] c"%*d %s %.*s%%\00"
declare i64 @strlen(ptr)
declare i32 @strcmp(ptr, ptr)
declare i32 @strncmp(ptr, ptr, i64)
declare i64 @fwrite(ptr, i64, i64, ptr)
declare i32 @printf(ptr, ...)
declare i32 @vprintf(ptr, ptr)

; Not through a null pointer, and not if an argument is corrupt.
; CHECK-LABEL: define void @text(
; CHECK-NEXT: %[[NEWEST:.*]] = load i64, ptr @__culprit_result_id
; CHECK-NEXT: %[[BAD:.*]] = icmp slt i64 %[[NEWEST]], 0
; CHECK-NEXT: %[[NULL:.*]] = icmp eq ptr %p, null
; CHECK-NEXT: %[[NOT:.*]] = or i1 %[[BAD]], %[[NULL]]
; CHECK-NEXT: %[[P:.*]] = select i1 %[[NOT]], ptr @__culprit_nothing, ptr %p
; CHECK-NEXT: %[[ID:.*]] = call i64 @__culprit_id_of_text(ptr %[[P]])
; CHECK-NEXT: %[[ALL:.*]] = call i64 @llvm.umax.i64(i64 %[[NEWEST]], i64 %[[ID]])
; CHECK-NEXT: store i64 %[[ALL]], ptr @__culprit_result_id
; CHECK-NEXT: call i64 @strlen(ptr %p)
; CHECK-NEXT: ret void
define void @text(ptr %p) {
  %n = call i64 @strlen(ptr %p)
  ret void
}

; A literal cannot be corrupt.
; CHECK-LABEL: define void @compares(
; CHECK: select i1 %{{.*}}, ptr @__culprit_nothing, ptr %p
; CHECK-NEXT: call i64 @__culprit_id_of_text
; CHECK-NOT: id_of
; CHECK: call i32 @strcmp(ptr %p, ptr @literal)
; CHECK: %[[Q:.*]] = select i1 %{{.*}}, ptr @__culprit_nothing, ptr %p
; CHECK-NEXT: %[[N:.*]] = call i64 @culprit.limited_text_length(ptr %[[Q]], i64 %n)
; CHECK: %[[R:.*]] = select i1 %{{.*}}, ptr @__culprit_nothing, ptr %p
; CHECK-NEXT: %[[L:.*]] = select i1 %{{.*}}, i64 0, i64 %[[N]]
; CHECK-NEXT: call i64 @__culprit_id_of(ptr %[[R]], i64 %[[L]])
; CHECK-NOT: id_of
; CHECK: call i32 @strncmp(
define void @compares(ptr %p, i64 %n) {
  %a = call i32 @strcmp(ptr %p, ptr @literal)
  %b = call i32 @strncmp(ptr %p, ptr @literal, i64 %n)
  ret void
}

; CHECK-LABEL: define void @writes_out(
; CHECK: %[[N:.*]] = mul i64 %n, 4
; CHECK: %[[L:.*]] = select i1 %{{.*}}, i64 0, i64 %[[N]]
; CHECK-NEXT: call i64 @__culprit_id_of(ptr %{{.*}}, i64 %[[L]])
; CHECK-NOT: id_of
; CHECK: call i64 @fwrite(
define void @writes_out(ptr %p, i64 %n, ptr %f) {
  %a = call i64 @fwrite(ptr %p, i64 %n, i64 4, ptr %f)
  ret void
}

; A text, and the beginning of one that need not end; a format that is no constant is a text.
; CHECK-LABEL: define void @prints(
; CHECK: %[[S:.*]] = select i1 %{{.*}}, ptr @__culprit_nothing, ptr %p
; CHECK-NEXT: call i64 @__culprit_id_of_text(ptr %[[S]])
; CHECK: %[[T:.*]] = select i1 %{{.*}}, ptr @__culprit_nothing, ptr %q
; CHECK-NEXT: %[[L:.*]] = select i1 %{{.*}}, i64 0, i64 1
; CHECK-NEXT: call i64 @__culprit_id_of(ptr %[[T]], i64 %[[L]])
; CHECK-NOT: id_of
; CHECK: call i32 (ptr, ...) @printf(
; CHECK: %[[F:.*]] = select i1 %{{.*}}, ptr @__culprit_nothing, ptr %p
; CHECK-NEXT: call i64 @__culprit_id_of_text(ptr %[[F]])
; CHECK: call i32 @vprintf(
define void @prints(ptr %p, ptr %q, ptr %list) {
  %a = call i32 (ptr, ...) @printf(ptr @print, i32 5, i32 1, ptr %p, i32 3, ptr %q)
  %b = call i32 @vprintf(ptr %p, ptr %list)
  ret void
}
