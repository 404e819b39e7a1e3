; What a library call writes gets an id after the call; bytes that are copied keep theirs; of a call that is left out, what it
; would have written.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-library-ids,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@scan = private constant [6 x i8] c"%d %s\00"
@print = private constant [7 x i8] c"%5d%ln\00"
declare ptr @memcpy(ptr, ptr, i64)
declare ptr @__memcpy_chk(ptr, ptr, i64, i64)
declare void @bcopy(ptr, ptr, i64)
declare ptr @memset(ptr, i32, i64)
declare ptr @strcpy(ptr, ptr)
declare ptr @strcat(ptr, ptr)
declare i64 @read(i32, ptr, i64)
declare i32 @sscanf(ptr, ptr, ...)
declare i32 @__snprintf_chk(ptr, i64, i32, i64, ptr, ...)
declare i32 @printf(ptr, ...)
declare void @made(ptr sret([3 x i64]), i32)
declare i32 @unknown(ptr)

; Copies are made whatever the bytes' ids are: these go along.
; CHECK-LABEL: define void @copies(
; CHECK-NOT: id_of
; CHECK: call ptr @memcpy(ptr %p, ptr %q, i64 %n)
; CHECK-NEXT: call void @__culprit_copy_ids(ptr %p, ptr %q, i64 %n, i64 %[[#]])
; CHECK: call ptr @__memcpy_chk(
; CHECK-NEXT: call void @__culprit_copy_ids(ptr %p, ptr %q, i64 8, i64 %[[#]])
; CHECK: call void @bcopy(ptr %q, ptr %p, i64 %n)
; CHECK-NEXT: call void @__culprit_copy_ids(ptr %p, ptr %q, i64 %n, i64 %[[#]])
; CHECK-NOT: @__culprit
; CHECK: ret void
define void @copies(ptr %p, ptr %q, i64 %n) {
  call ptr @memcpy(ptr %p, ptr %q, i64 %n)
  call ptr @__memcpy_chk(ptr %p, ptr %q, i64 8, i64 10)
  call void @bcopy(ptr %q, ptr %p, i64 %n)
  ret void
}

; Left out: all of it if the number is clean, else one byte; nothing if the pointer is corrupt.
; CHECK-LABEL: define void @fills(
; CHECK: %[[NEWEST:.*]] = load i64, ptr @__culprit_result_id
; CHECK-NEXT: icmp slt i64 %[[NEWEST]], 0
; CHECK-NEXT: %[[OUT:.*]] = icmp slt i64 %[[NEWEST]], 0
; CHECK-NEXT: %[[CLEAN:.*]] = icmp sge i64 %[[NEWEST]], 0
; CHECK-NEXT: %[[LENGTH:.*]] = select i1 %[[CLEAN]], i64 %n, i64 1
; CHECK-NEXT: %[[GOOD:.*]] = icmp sge i64 %[[NEWEST]], 0
; CHECK-NEXT: %[[BOTH:.*]] = and i1 %[[OUT]], %[[GOOD]]
; CHECK-NEXT: %[[THERE:.*]] = icmp ne ptr %p, null
; CHECK-NEXT: %[[ALL:.*]] = and i1 %[[BOTH]], %[[THERE]]
; CHECK-NEXT: %[[L:.*]] = select i1 %[[ALL]], i64 %[[LENGTH]], i64 0
; CHECK-NEXT: call void @__culprit_define(ptr %p, i64 %[[L]], i64 %[[NEWEST]])
; CHECK-NEXT: call ptr @memset(ptr %p, i32 0, i64 %n)
; CHECK-NEXT: call void @__culprit_define(ptr %p, i64 %n, i64 %[[NEWEST]])
define void @fills(ptr %p, i64 %n) {
  call ptr @memset(ptr %p, i32 0, i64 %n)
  ret void
}

; Left out: how long the text would have been is told, if nothing of it is corrupt.
; CHECK-LABEL: define void @texts(
; CHECK: %[[TEXT:.*]] = select i1 %{{.*}}, ptr %q, ptr @__culprit_nothing
; CHECK-NEXT: %[[T:.*]] = call i64 @culprit.text_length(ptr %[[TEXT]])
; CHECK-NEXT: %[[TOLD:.*]] = select i1 %{{.*}}, i64 %[[T]], i64 0
; CHECK-NEXT: call void @__culprit_left_out(ptr %p, i64 %[[TOLD]], i64 %[[#]], i64 -1)
; CHECK-NEXT: call ptr @strcpy(ptr %p, ptr %q)
; CHECK-NEXT: %[[N:.*]] = call i64 @culprit.text_length(ptr %p)
; CHECK-NEXT: call void @__culprit_define(ptr %p, i64 %[[N]], i64 %[[#]])
; CHECK: %[[SUM:.*]] = add i64
; CHECK-NEXT: %[[WHOLE:.*]] = sub i64 %[[SUM]], 1
; CHECK-NEXT: %[[TOLD2:.*]] = select i1 %{{.*}}, i64 %[[WHOLE]], i64 0
; CHECK-NEXT: call void @__culprit_left_out(ptr %p, i64 %[[TOLD2]],
; CHECK-NEXT: %[[OLD:.*]] = call i64 @culprit.text_length(ptr %p)
; CHECK-NEXT: %[[AT:.*]] = sub i64 %[[OLD]], 1
; CHECK-NEXT: %[[END:.*]] = getelementptr i8, ptr %p, i64 %[[AT]]
; CHECK-NEXT: call ptr @strcat(ptr %p, ptr %q)
; CHECK-NEXT: %[[M:.*]] = call i64 @culprit.text_length(ptr %[[END]])
; CHECK-NEXT: call void @__culprit_define(ptr %[[END]], i64 %[[M]], i64 %[[#]])
define void @texts(ptr %p, ptr %q) {
  call ptr @strcpy(ptr %p, ptr %q)
  call ptr @strcat(ptr %p, ptr %q)
  ret void
}

; CHECK-LABEL: define void @input(
; CHECK: %[[R:.*]] = call i64 @read(
; CHECK-NEXT: %[[N:.*]] = call i64 @llvm.smax.i64(i64 %[[R]], i64 0)
; CHECK-NEXT: call void @__culprit_define(ptr %p, i64 %[[N]], i64 %[[#]])
; CHECK: %[[S:.*]] = call i32 (ptr, ptr, ...) @sscanf(
; CHECK-NEXT: %[[ONE:.*]] = icmp sge i32 %[[S]], 1
; CHECK-NEXT: %[[L1:.*]] = select i1 %[[ONE]], i64 4, i64 0
; CHECK-NEXT: call void @__culprit_define(ptr %p, i64 %[[L1]], i64 %[[#]])
; CHECK-NEXT: %[[TWO:.*]] = icmp sge i32 %[[S]], 2
; CHECK: call void @__culprit_define(ptr %q, i64 %{{.*}}, i64 %[[#]])
define void @input(ptr %p, ptr %q, ptr %s) {
  %r = call i64 @read(i32 0, ptr %p, i64 100)
  %n = call i32 (ptr, ptr, ...) @sscanf(ptr %s, ptr @scan, ptr %p, ptr %q)
  ret void
}

; The fortified form has its format elsewhere; %n writes.
; CHECK-LABEL: define void @prints(
; CHECK: call i32 (ptr, i64, i32, i64, ptr, ...) @__snprintf_chk(
; CHECK: call void @__culprit_define(ptr %p,
; CHECK-NEXT: call void @__culprit_define(ptr %q, i64 8,
; CHECK: call i32 (ptr, ...) @printf(
; CHECK-NEXT: call void @__culprit_define(ptr %q, i64 8,
define void @prints(ptr %p, ptr %q) {
  %a = call i32 (ptr, i64, i32, i64, ptr, ...) @__snprintf_chk(ptr %p, i64 9, i32 1, i64 9, ptr @print, i32 1, ptr %q)
  %b = call i32 (ptr, ...) @printf(ptr @print, i32 1, ptr %q)
  ret void
}

; A result in memory is written by whatever function it is; nothing else is said of one nobody knows.
; CHECK-LABEL: define void @results(
; CHECK: call void @made(
; CHECK-NEXT: call void @__culprit_define(ptr %p, i64 24, i64 %[[#]])
; CHECK: call i32 @unknown(ptr %p)
; CHECK-NOT: @__culprit
; CHECK: ret void
define void @results(ptr %p) {
  call void @made(ptr sret([3 x i64]) %p, i32 1)
  %x = call i32 @unknown(ptr %p)
  ret void
}
