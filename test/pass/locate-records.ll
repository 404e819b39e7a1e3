; A small record that is passed, returned or copied as a whole becomes its members, each with an id
; of its own; what more is done with, or what has padding, stays in memory.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
; RUN: sed 's/"trace"/"suppress"/' %s | opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S | FileCheck %s --check-prefixes=CHECK,ARMED
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!culprit.main = !{!1}
!0 = !{!"trace"}
!1 = !{}
%triple = type { double, ptr, i64 }
%pair = type { i64, i64 }
%padded = type { i32, ptr, i64 }
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @use(ptr)
declare i32 @__gxx_personality_v0(...)

; Arguments by value are members, the result is returned, and each has its id.
; CHECK-LABEL: define internal { { double, ptr, i64 }, i64, i64, i64 } @handed_on(double %0, ptr %1, i64 %2, i32 signext %n, i64 %3, i64 %4, i64 %5)
; CHECK-NOT: __culprit_data_stack
; CHECK-NOT: memcpy
; ARMED: store %triple zeroinitializer, ptr %result
; CHECK: %[[FIRST:.*]] = insertvalue { { double, ptr, i64 }, i64, i64, i64 } %{{.*}}, i64 %[[A:.*]], 1
; CHECK: %[[SECOND:.*]] = insertvalue { { double, ptr, i64 }, i64, i64, i64 } %[[FIRST]], i64 %[[B:.*]], 2
; CHECK: %[[ALL:.*]] = insertvalue { { double, ptr, i64 }, i64, i64, i64 } %[[SECOND]], i64 %[[C:.*]], 3
; CHECK: ret { { double, ptr, i64 }, i64, i64, i64 } %[[ALL]]
define internal void @handed_on(ptr sret(%triple) align 8 %result, ptr byval(%triple) align 8 %given, i32 signext %n) {
  %copy = alloca %triple, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %copy, ptr align 8 %given, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %result, ptr align 8 %copy, i64 24, i1 false)
  ret void
}

; Memory is read and written member by member, with the ids of each.
; CHECK-LABEL: define void @calls(
; CHECK: call { { double, ptr, i64 }, i64, i64, i64 } @handed_on(double %{{.*}}, ptr %{{.*}}, i64 %{{.*}}, i32 signext 1, i64 %{{.*}}, i64 %{{.*}}, i64 %{{.*}})
; CHECK: extractvalue { { double, ptr, i64 }, i64, i64, i64 } %{{.*}}, 1
; CHECK-NOT: memcpy
; CHECK: ret void
define void @calls(ptr %from, ptr %to) {
  %room = alloca %triple, align 8
  call void @handed_on(ptr sret(%triple) align 8 %room, ptr byval(%triple) align 8 %from, i32 signext 1)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %room, i64 24, i1 false)
  ret void
}

; An invoke gives its result on the way it returns.
; CHECK-LABEL: define void @invokes(
; CHECK: invoke { { double, ptr, i64 }, i64, i64, i64 } @handed_on(
define void @invokes(ptr %from, ptr %to, i1 %which) personality ptr @__gxx_personality_v0 {
  br i1 %which, label %try, label %done
try:
  invoke void @handed_on(ptr sret(%triple) align 8 %to, ptr byval(%triple) align 8 %from, i32 signext 2)
          to label %done unwind label %caught
done:
  ret void
caught:
  %pad = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %pad
}

; Fills are stores, too.
; CHECK-LABEL: define i64 @filled(
; CHECK-NOT: memset
; CHECK: store i64 72340172838076673
define i64 @filled() {
  %local = alloca %pair, align 8
  call void @llvm.memset.p0.i64(ptr align 8 %local, i8 1, i64 16, i1 false)
  %second = getelementptr i8, ptr %local, i64 8
  %value = load i64, ptr %second, align 8
  ret i64 %value
}

; An array keeps its place.
; CHECK-LABEL: define i64 @array(
; CHECK: call void @llvm.memset
define i64 @array() {
  %local = alloca [2 x i64], align 8
  call void @llvm.memset.p0.i64(ptr align 8 %local, i8 1, i64 16, i1 false)
  %value = load i64, ptr %local, align 8
  ret i64 %value
}

; The address gets out: in memory.
; CHECK-LABEL: define internal void @escapes(ptr byval(%triple) align 8 %given
; CHECK: __culprit_data_stack
define internal void @escapes(ptr byval(%triple) align 8 %given) {
  call void @use(ptr %given)
  ret void
}

; The padding may be somebody's (of a union): in memory.
; CHECK-LABEL: define internal {{.*}} @has_padding(ptr byval(%padded) align 8 %given
define internal i64 @has_padding(ptr byval(%padded) align 8 %given) {
  %last = getelementptr %padded, ptr %given, i64 0, i32 2
  %value = load i64, ptr %last, align 8
  ret i64 %value
}

; Called through a pointer: as it was.
@pointer = global ptr @by_pointer
; CHECK-LABEL: define internal i64 @by_pointer(ptr byval(%triple) align 8 %given
define internal i64 @by_pointer(ptr byval(%triple) align 8 %given) {
  %last = getelementptr %triple, ptr %given, i64 0, i32 2
  %value = load i64, ptr %last, align 8
  ret i64 %value
}

define void @others(ptr %from) {
  call void @escapes(ptr byval(%triple) align 8 %from)
  %value = call i64 @has_padding(ptr byval(%padded) align 8 %from)
  ret void
}
