; An index flavour: only what may lead to an allocation has a frame. A function called once stands in its caller's; the
; counter of a cycle is kept only if an allocation is in it, and goes to the frame at the call alone; an open function that
; allocates nothing counts its entries and nothing else. What LLVM knows about malloc is not used: it reads frames.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-explain,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"index"}
!culprit.main = !{!1}
!1 = !{}
declare ptr @malloc(i64)
declare i64 @strlen(ptr)
declare void @unknown()
; Rows: nobody's; malloc in @once, by way of the call in @twice; that call; @unknown in @twice; two calls in @main.
; CHECK: @culprit.sites = {{.*}} [6 x {{.*}}] [{{.*}} zeroinitializer, {{.*}} { i64 {{.*}}, i64 {{.*}}, i32 2, i16 1, i16 1 }, {{.*}} { i64 {{.*}}, i64 {{.*}}, i32 0, i16 0, i16 1 },

; CHECK-LABEL: define internal ptr @once(
; CHECK-NOT:   alloca [
; CHECK:       %[[FRAME:.*]] = load ptr, ptr %{{.*}}
; CHECK:       head:
; CHECK:         %[[MORE:.*]] = add i64 %{{.*}}, 1
; CHECK:         %[[SITE:.*]] = getelementptr inbounds i8, ptr %[[FRAME]], i64 16
; CHECK-NEXT:    store i64 1, ptr %[[SITE]]
; CHECK-NEXT:    %[[COUNT:.*]] = load i64, ptr %culprit.counter
; CHECK-NEXT:    %[[SLOT:.*]] = getelementptr inbounds i8, ptr %[[FRAME]], i64 40
; CHECK-NEXT:    store i64 %[[COUNT]], ptr %[[SLOT]]
; CHECK-NEXT:    %p = call ptr @malloc(i64 8) #[[UNKNOWN:[0-9]+]]
; CHECK-NOT:   __culprit_index_frame
; CHECK:       ret ptr
define internal ptr @once(i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %j, %head ]
  %p = call ptr @malloc(i64 8)
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %head, label %done
done:
  ret ptr %p
}

; CHECK-LABEL: define internal void @twice(
; CHECK:         %culprit.frame = alloca [48 x i8], align 8
; CHECK:         %[[CALLER:.*]] = load ptr, ptr
; CHECK-NOT:     select
; CHECK:         store ptr %culprit.frame, ptr
; CHECK:         store i64 2, ptr
; CHECK:         call ptr @once(
; CHECK:         store i64 3, ptr
; CHECK:         call void @unknown()
; CHECK:         store ptr %[[CALLER]], ptr
; CHECK-NEXT:    ret void
define internal void @twice(i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %j, %head ]
  %p = call ptr @once(i32 %i)
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %head, label %done
done:
  call void @unknown()
  ret void
}

; CHECK-LABEL: define internal i64 @quiet(
; CHECK-NOT:   culprit
; CHECK:       ret i64
define internal i64 @quiet(ptr %s) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %j, %head ]
  %l = call i64 @strlen(ptr %s)
  %j = add i64 %i, %l
  %c = icmp slt i64 %j, 100
  br i1 %c, label %head, label %done
done:
  ret i64 %j
}

; CHECK-LABEL: define i32 @open(
; CHECK:         select i1 %{{.*}}, ptr %{{.*}}, ptr
; CHECK:         %[[HAPPENED:.*]] = getelementptr inbounds i8, ptr %{{.*}}, i64 20
; CHECK-NEXT:    %[[BEFORE:.*]] = load i32, ptr %[[HAPPENED]]
; CHECK-NEXT:    %[[NOW:.*]] = add i32 %[[BEFORE]], 1
; CHECK-NOT:     alloca
; CHECK:         store i32 %[[NOW]], ptr %[[HAPPENED]]
; CHECK-NEXT:    ret i32
define i32 @open(i32 %x) {
  %y = mul i32 %x, 3
  ret i32 %y
}

define i32 @main() {
  call void @twice(i32 3)
  call void @twice(i32 4)
  %q = call i64 @quiet(ptr null)
  ret i32 0
}
; CHECK: attributes #[[UNKNOWN]] = { nobuiltin }
