; What library functions write and read for their caller is told after the call, when the length is known.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S %s | FileCheck %s
; RUN: sed 's/"access"/"access-reads"/' %s | opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S | FileCheck --check-prefix=READS %s
; RUN: sed 's/"access"/"access-events"/' %s | opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S | FileCheck --check-prefix=EVENTS %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!culprit.main = !{!1}
!0 = !{!"access"}
!1 = !{}
@scan = private constant [14 x i8] c"%ld %*s%5c%s\0A\00"
declare ptr @strcpy(ptr, ptr)
declare ptr @strcat(ptr, ptr)
declare ptr @__strcpy_chk(ptr, ptr, i64)
declare i32 @sprintf(ptr, ptr, ...)
declare i32 @snprintf(ptr, i64, ptr, ...)
declare i64 @read(i32, ptr, i64)
declare ptr @fgets(ptr, i32, ptr)
declare i64 @fread(ptr, i64, i64, ptr)
declare i64 @time(ptr)
declare i32 @__isoc99_sscanf(ptr, ptr, ...)
declare i32 @unknown(ptr)

; CHECK-LABEL: define void @copies(
; CHECK: call ptr @strcpy(ptr %p, ptr %q)
; CHECK-NEXT: %[[N:.*]] = call i64 @culprit.text_length(ptr %p)
; CHECK-NEXT: call void @__culprit_access_range(ptr %p, i64 %[[N]], i32 [[#]])
; CHECK-NEXT: call ptr @__strcpy_chk
; CHECK: call void @__culprit_access_range(ptr %p,
; CHECK-NOT: access_range
; CHECK: ret void
; READS-LABEL: define void @copies(
; READS: call ptr @strcpy(ptr %p, ptr %q)
; READS-DAG: %[[TO:.*]] = call i64 @culprit.text_length(ptr %p)
; READS-DAG: call void @__culprit_access_range(ptr %p, i64 %[[TO]], i32 [[#]])
; READS-DAG: %[[FROM:.*]] = call i64 @culprit.text_length(ptr %q)
; READS-DAG: call void @__culprit_access_range(ptr %q, i64 %[[FROM]], i32 [[#]])
; EVENTS-LABEL: define void @copies(
; EVENTS: call preserve_allcc void @__culprit_event(ptr %p, i64 %{{.*}}, i32 [[#]])
define void @copies(ptr %p, ptr %q) {
  call ptr @strcpy(ptr %p, ptr %q)
  call ptr @__strcpy_chk(ptr %p, ptr %q, i64 10)
  ret void
}
; From where the text ended before.
; CHECK-LABEL: define void @appends(
; CHECK: %[[OLD:.*]] = call i64 @culprit.text_length(ptr %p)
; CHECK-NEXT: %[[AT:.*]] = sub i64 %[[OLD]], 1
; CHECK-NEXT: %[[END:.*]] = getelementptr i8, ptr %p, i64 %[[AT]]
; CHECK-NEXT: call ptr @strcat
; CHECK-NEXT: %[[N:.*]] = call i64 @culprit.text_length(ptr %[[END]])
; CHECK-NEXT: call void @__culprit_access_range(ptr %[[END]], i64 %[[N]], i32 [[#]])
define void @appends(ptr %p, ptr %q) {
  call ptr @strcat(ptr %p, ptr %q)
  ret void
}
; CHECK-LABEL: define void @prints(
; CHECK: %[[R:.*]] = call i32 (ptr, ptr, ...) @sprintf
; CHECK-NEXT: %[[W:.*]] = sext i32 %[[R]] to i64
; CHECK-NEXT: %[[A:.*]] = add i64 %[[W]], 1
; CHECK-NEXT: %[[N:.*]] = call i64 @llvm.smax.i64(i64 %[[A]], i64 0)
; CHECK-NEXT: call void @__culprit_access_range(ptr %p, i64 %[[N]], i32 [[#]])
; CHECK: call i32 (ptr, i64, ptr, ...) @snprintf
; CHECK: %[[L:.*]] = call i64 @llvm.umin.i64(i64 %{{.*}}, i64 %n)
; CHECK-NEXT: call void @__culprit_access_range(ptr %p, i64 %[[L]], i32 [[#]])
define void @prints(ptr %p, ptr %q, i64 %n) {
  %r = call i32 (ptr, ptr, ...) @sprintf(ptr %p, ptr %q)
  %s = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %p, i64 %n, ptr %q)
  ret void
}
; CHECK-LABEL: define void @reads(
; CHECK: %[[R:.*]] = call i64 @read(
; CHECK-NEXT: %[[N:.*]] = call i64 @llvm.smax.i64(i64 %[[R]], i64 0)
; CHECK-NEXT: call void @__culprit_access_range(ptr %p, i64 %[[N]], i32 [[#]])
; CHECK: %[[G:.*]] = call ptr @fgets
; CHECK-NEXT: %[[Z:.*]] = icmp eq ptr %[[G]], null
; CHECK-NEXT: %[[T:.*]] = select i1 %[[Z]], ptr @culprit.empty{{.*}}, ptr %p
; CHECK-NEXT: %[[M:.*]] = call i64 @culprit.text_length(ptr %[[T]])
; CHECK-NEXT: %[[S:.*]] = select i1 %[[Z]], i64 0, i64 %[[M]]
; CHECK-NEXT: call void @__culprit_access_range(ptr %p, i64 %[[S]], i32 [[#]])
; CHECK: %[[F:.*]] = call i64 @fread
; CHECK-NEXT: %[[I:.*]] = call i64 @llvm.smax.i64(i64 %[[F]], i64 0)
; CHECK-NEXT: %[[B:.*]] = mul i64 %[[I]], %n
; CHECK-NEXT: call void @__culprit_access_range(ptr %p, i64 %[[B]], i32 [[#]])
define void @reads(ptr %p, i64 %n, ptr %f) {
  %r = call i64 @read(i32 0, ptr %p, i64 %n)
  %g = call ptr @fgets(ptr %p, i32 80, ptr %f)
  %h = call i64 @fread(ptr %p, i64 %n, i64 10, ptr %f)
  ret void
}
; A long, nothing, five letters, a word; the result says how many.
; CHECK-LABEL: define void @scans(
; CHECK: %[[R:.*]] = call i32 (ptr, ptr, ...) @__isoc99_sscanf
; CHECK-NEXT: %[[C1:.*]] = icmp sge i32 %[[R]], 1
; CHECK-NEXT: %[[L1:.*]] = select i1 %[[C1]], i64 8, i64 0
; CHECK-NEXT: call void @__culprit_access_range(ptr %a, i64 %[[L1]], i32 [[#ROW:]])
; CHECK-NEXT: %[[C2:.*]] = icmp sge i32 %[[R]], 2
; CHECK-NEXT: %[[L2:.*]] = select i1 %[[C2]], i64 5, i64 0
; CHECK-NEXT: call void @__culprit_access_range(ptr %b, i64 %[[L2]], i32 [[#ROW]])
; CHECK-NEXT: %[[C3:.*]] = icmp sge i32 %[[R]], 3
; CHECK-NEXT: %[[T:.*]] = select i1 %[[C3]], ptr %c, ptr @culprit.empty
; CHECK-NEXT: %[[M:.*]] = call i64 @culprit.text_length(ptr %[[T]])
; CHECK-NEXT: %[[L3:.*]] = select i1 %[[C3]], i64 %[[M]], i64 0
; CHECK-NEXT: call void @__culprit_access_range(ptr %c, i64 %[[L3]], i32 [[#ROW]])
; CHECK-NOT: access_range
; CHECK: ret void
define void @scans(ptr %s, ptr %a, ptr %b, ptr %c) {
  %r = call i32 (ptr, ptr, ...) @__isoc99_sscanf(ptr %s, ptr @scan, ptr %a, ptr %b, ptr %c)
  ret void
}
; A result handed back to a named variable is certain; nothing is said of a function nobody knows.
; CHECK-LABEL: define void @results(
; CHECK-NOT: access_range
; CHECK: call i64 @time(ptr %p)
; CHECK-NEXT: icmp eq ptr %p, null
; CHECK: call void @__culprit_access_range(ptr %p,
; CHECK-NOT: access_range
; CHECK: ret void
define void @results(ptr %p) {
  %t = alloca i64
  %x = call i64 @time(ptr %t)
  %y = call i64 @time(ptr null)
  %z = call i64 @time(ptr %p)
  %u = call i32 @unknown(ptr %p)
  ret void
}
