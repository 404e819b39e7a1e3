; What each flavour inserts: reads, counts, events, and rows of a unit that is not the main one.
; RUN: sed 's/FLAVOUR/access-reads/' %s | opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S | FileCheck --check-prefix=READS %s
; RUN: sed 's/FLAVOUR/access-count/' %s | opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S | FileCheck --check-prefix=COUNT %s
; RUN: sed 's/FLAVOUR/access-events/' %s | opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S | FileCheck --check-prefix=EVENTS %s
; RUN: sed 's/FLAVOUR/access/; /culprit.main/d' %s | opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S | FileCheck --check-prefix=OTHER %s
; RUN: sed 's/FLAVOUR/both/' %s | opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S | FileCheck --check-prefix=BOTH %s
; RUN: sed 's/FLAVOUR/monitor/' %s | opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S | FileCheck --check-prefix=MONITOR %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!culprit.main = !{!1}
!0 = !{!"FLAVOUR"}
!1 = !{}
; READS: @__culprit_features = weak constant i8 12
; COUNT: @__culprit_features = weak constant i8 20
; EVENTS: @__culprit_features = weak constant i8 44
; OTHER: @culprit.access_unit = internal global {{.*}}, ptr @culprit.unit, i32 0,
; OTHER: @__culprit_features = weak constant i8 4
; BOTH: @__culprit_features = weak constant i8 5
; MONITOR-NOT: access_unit
; MONITOR: @__culprit_features = weak constant i8 1
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; The load is checked before it happens, with a row marked as one of reads.
; READS-LABEL: define void @move(
; READS: call preserve_allcc void @__culprit_access(ptr %q, i32 0)
; READS: load ptr, ptr %q
; READS: call preserve_allcc void @__culprit_access(ptr %p, i32 1)
; READS: store ptr
; COUNT-LABEL: define void @move(
; COUNT: %[[COUNTS:.*]] = call ptr asm "movabsq $1, $0", "=r,i"(i64 8796093022208)
; COUNT: %[[T:.*]] = zext i16 %{{.*}} to i64
; COUNT-NEXT: %[[W:.*]] = getelementptr i64, ptr %[[COUNTS]], i64 %[[T]]
; COUNT-NEXT: %[[A:.*]] = getelementptr i8, ptr %[[W]], i64 0
; COUNT-NEXT: %[[V:.*]] = load i64, ptr %[[A]], align 8, !nosanitize
; COUNT-NEXT: %[[S:.*]] = add i64 %[[V]], 1
; COUNT-NEXT: store i64 %[[S]], ptr %[[A]], align 8, !nosanitize
; COUNT: call preserve_allcc void @__culprit_access(ptr %p, i32 0)
; EVENTS-LABEL: define void @move(
; EVENTS-NOT: asm
; EVENTS: call preserve_allcc void @__culprit_event(ptr %q, i64 8, i32 0)
; EVENTS: call preserve_allcc void @__culprit_event(ptr %p, i64 8, i32 1)
; OTHER-LABEL: define void @move(
; OTHER: %[[ROWS:.*]] = load i32, ptr getelementptr inbounds ({{.*}}, ptr @culprit.access_unit, i32 0, i32 3), align 4, !nosanitize
; OTHER-NEXT: %[[WIDE:.*]] = zext i32 %[[ROWS]] to i64
; OTHER-NEXT: %[[BELOW:.*]] = mul i64 %[[WIDE]], 33028
; OTHER-NEXT: %[[MINUS:.*]] = sub i64 0, %[[BELOW]]
; OTHER-NEXT: %[[OWN:.*]] = getelementptr i8, ptr addrspace(256) null, i64 %[[MINUS]]
; OTHER: getelementptr i16, ptr addrspace(256) null
; OTHER: getelementptr i64, ptr addrspace(256) %[[OWN]]
; OTHER: load i32
; OTHER: %[[FIRST:.*]] = load i32
; OTHER-NEXT: %[[ROW:.*]] = add i32 %[[FIRST]], 0
; OTHER-NEXT: call preserve_allcc void @__culprit_access(ptr %p, i32 %[[ROW]])
; BOTH-LABEL: define void @move(
; BOTH: call preserve_allcc void @__culprit_access(ptr %p, i32 0)
; BOTH: store ptr
; BOTH: call preserve_allcc void @__culprit_card_dirty(ptr %p)
; MONITOR-LABEL: define void @move(
; MONITOR-NOT: __culprit_access
; MONITOR: call preserve_allcc void @__culprit_card_dirty(ptr %p)
define void @move(ptr %p, ptr %q) {
  %v = load ptr, ptr %q, align 8
  store ptr %v, ptr %p, align 8
  ret void
}
; A tail counts only where it lies in a granule of its own.
; COUNT-LABEL: define void @tail(
; COUNT: %[[LAST:.*]] = getelementptr i8, ptr %p, i64 7
; COUNT: %[[N:.*]] = ptrtoint ptr %[[LAST]] to i64
; COUNT-NEXT: %[[P:.*]] = and i64 %[[N]], 15
; COUNT-NEXT: %[[C:.*]] = icmp ult i64 %[[P]], 7
; COUNT-NEXT: %[[ONE:.*]] = zext i1 %[[C]] to i64
; COUNT: add i64 %{{.*}}, %[[ONE]]
define void @tail(ptr %p) {
  store i64 1, ptr %p, align 4
  ret void
}
; READS-LABEL: define void @copy(
; READS-DAG: call void @__culprit_access_range(ptr %p, i64 %n, i32 [[#]])
; READS-DAG: call void @__culprit_access_range(ptr %q, i64 %n, i32 [[#]])
; READS: call void @llvm.memcpy
; EVENTS-LABEL: define void @copy(
; EVENTS-DAG: call preserve_allcc void @__culprit_event(ptr %p, i64 %n, i32 [[#]])
; EVENTS-DAG: call preserve_allcc void @__culprit_event(ptr %q, i64 %n, i32 [[#]])
define void @copy(ptr %p, ptr %q, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  ret void
}
