; Memory of no object behind arrays on the stack: it lives as long as they do, and nothing else about them changes.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S %s | FileCheck %s
!culprit.flavour = !{!0}
!0 = !{!"access"}
declare void @use(ptr)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)

; At least 8 bytes, up to a multiple of 16; the alignment stays.
; CHECK-LABEL: define void @whole(
; CHECK: %x = alloca { [21 x i8], [5 x i16] }, align 1
; CHECK: %y = alloca { [40 x i8], [4 x i16] }, align 32
; CHECK: call void @__culprit_local_on(ptr %x,
; CHECK-NEXT: %[[BEHIND:.*]] = getelementptr inbounds i8, ptr %x, i64 21
; CHECK-NEXT: call void @__culprit_local_on(ptr %[[BEHIND]],
; CHECK-NEXT: call void @__culprit_local_on(ptr %y,
; CHECK-NEXT: %[[BEHIND:.*]] = getelementptr inbounds i8, ptr %y, i64 40
; CHECK-NEXT: call void @__culprit_local_on(ptr %[[BEHIND]],
; CHECK: call void @__culprit_local_off(ptr %x, i64 32)
; CHECK: call void @__culprit_local_off(ptr %y, i64 48)
define void @whole() {
  %x = alloca [21 x i8], align 1
  %y = alloca [40 x i8], align 32
  call void @use(ptr %x)
  call void @use(ptr %y)
  ret void
}

; By its lifetime, which is that of all of it.
; CHECK-LABEL: define void @scoped(
; CHECK: %x = alloca { { i32, [3 x i32] }, [8 x i16] }
; CHECK: call void @llvm.lifetime.start.p0(i64 32, ptr %x)
; CHECK-NEXT: call void @__culprit_local_on(ptr %x,
; CHECK-NEXT: %[[BEHIND:.*]] = getelementptr inbounds i8, ptr %x, i64 16
; CHECK-NEXT: call void @__culprit_local_on(ptr %[[BEHIND]],
; CHECK: call void @__culprit_local_off(ptr %x, i64 32)
; CHECK-NEXT: call void @llvm.lifetime.end.p0(i64 32, ptr %x)
define void @scoped() {
  %x = alloca { i32, [3 x i32] }
  call void @llvm.lifetime.start.p0(i64 16, ptr %x)
  call void @use(ptr %x)
  call void @llvm.lifetime.end.p0(i64 16, ptr %x)
  ret void
}

; Several at once are an array too. Large alignments make the gap larger.
; CHECK-LABEL: define void @counted(
; CHECK: %x = alloca { [4 x i32], [8 x i16] }, align 4
; CHECK: %y = alloca { [1 x <16 x float>], [8 x i16] }
; CHECK: call void @__culprit_local_off(ptr %x, i64 32)
; CHECK: call void @__culprit_local_off(ptr %y, i64 128)
define void @counted() {
  %x = alloca i32, i32 4, align 4
  %y = alloca [1 x <16 x float>]
  call void @use(ptr %x)
  call void @use(ptr %y)
  ret void
}

; None behind what has no elements to run over.
; CHECK-LABEL: define void @scalars(
; CHECK: %x = alloca i64
; CHECK: %y = alloca { i32, ptr }
; CHECK: call void @__culprit_local_off(ptr %x, i64 8)
; CHECK: call void @__culprit_local_off(ptr %y, i64 16)
define void @scalars() {
  %x = alloca i64
  %y = alloca { i32, ptr }
  call void @use(ptr %x)
  call void @use(ptr %y)
  ret void
}

; None where the program still asks for the size of what a pointer points to.
; CHECK-LABEL: define i64 @asks(
; CHECK: %x = alloca [16 x i8]
; CHECK: call void @__culprit_local_off(ptr %x, i64 16)
define i64 @asks() {
  %x = alloca [16 x i8]
  call void @use(ptr %x)
  %n = call i64 @llvm.objectsize.i64.p0(ptr %x, i1 false, i1 true, i1 false)
  ret i64 %n
}

; Where the frame pointer is saved for certain, its slot counts as the return address's.
; CHECK-LABEL: define void @framed(
; CHECK: %[[PLACE:.*]] = call ptr @llvm.addressofreturnaddress.p0()
; CHECK-NEXT: %[[SLOT:.*]] = getelementptr i8, ptr %[[PLACE]], i64 -8
; CHECK-NEXT: call void @__culprit_local_on(ptr %[[SLOT]],
; CHECK: %[[PLACE:.*]] = call ptr @llvm.addressofreturnaddress.p0()
; CHECK-NEXT: %[[SLOT:.*]] = getelementptr i8, ptr %[[PLACE]], i64 -8
; CHECK-NEXT: call void @__culprit_local_off(ptr %[[SLOT]], i64 16)
define void @framed() "frame-pointer"="all" {
  %x = alloca i64
  call void @use(ptr %x)
  ret void
}
