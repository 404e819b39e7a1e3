; An id is read where it is asked for, not where its value is: in a loop that walks along a list, behind it. What came from
; elsewhere stands on the stack meanwhile; so does what is asked for after a write. An access that tells by itself says
; where the id stands.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-late-reads,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare i64 @llvm.umax.i64(i64, i64)
declare void @other()
declare void @take(i64)
; CHECK-LABEL: define i64 @walks(
; CHECK: %[[SLOT:.*]] = alloca [2 x i64]
; CHECK: %[[HIGH:.*]] = getelementptr i64, ptr %[[SLOT]], i64 1
; CHECK: store i64 0, ptr %[[HIGH]]
; CHECK: store i64 %first_id, ptr %[[SLOT]]
; CHECK: loop:
; CHECK: %[[AT:.*]] = phi ptr [ %[[SLOT]], %entry ], [ %cell, %loop ]
; CHECK-NOT: load i64, ptr %cell
; CHECK: br i1
; CHECK: end:
; CHECK-NEXT: %[[LOW:.*]] = load i64, ptr %[[AT]]
; CHECK: %[[SECOND:.*]] = getelementptr i64, ptr %[[AT]], i64 1
; CHECK: %[[OTHER:.*]] = load i64, ptr %[[SECOND]]
; CHECK: %[[ID:.*]] = call i64 @llvm.umax.i64(i64 %[[LOW]], i64 %[[OTHER]])
; CHECK: ret i64 %[[ID]]
define i64 @walks(ptr %first, i64 %first_id) section "culprit_text" {
entry:
  br label %loop
loop:
  %node = phi ptr [ %first, %entry ], [ %next, %loop ]
  %id = phi i64 [ %first_id, %entry ], [ %next_id, %loop ]
  %number = ptrtoint ptr %node to i64
  %doubled = shl i64 %number, 1
  %masked = and i64 %doubled, 35184372088824
  %sum = add i64 %masked, 52776558133248
  %cell = inttoptr i64 %sum to ptr
  %a = load i64, ptr %cell
  %high = getelementptr i8, ptr %cell, i64 8
  %b = load i64, ptr %high
  %next_id = call i64 @llvm.umax.i64(i64 %a, i64 %b)
  %next = load ptr, ptr %node
  %is_end = icmp eq ptr %next, null
  br i1 %is_end, label %end, label %loop
end:
  ret i64 %id
}
; Something is written on every way round: it cannot wait.
; CHECK-LABEL: define i64 @written(
; CHECK-NOT: alloca
; CHECK: loop:
; CHECK: load i64, ptr %cell
; CHECK: call void @other()
; CHECK: ret i64 %id
define i64 @written(ptr %first, i64 %first_id) section "culprit_text" {
entry:
  br label %loop
loop:
  %node = phi ptr [ %first, %entry ], [ %next, %loop ]
  %id = phi i64 [ %first_id, %entry ], [ %next_id, %loop ]
  %number = ptrtoint ptr %node to i64
  %doubled = shl i64 %number, 1
  %masked = and i64 %doubled, 35184372088824
  %sum = add i64 %masked, 52776558133248
  %cell = inttoptr i64 %sum to ptr
  %next_id = load i64, ptr %cell
  %next = load ptr, ptr %node
  call void @other()
  %is_end = icmp eq ptr %next, null
  br i1 %is_end, label %end, label %loop
end:
  ret i64 %id
}
; Written on a way that is hardly ever taken: only there it is put aside.
; CHECK-LABEL: define void @kept(
; CHECK: %[[KEPT:.*]] = alloca [1 x i64]
; CHECK-NOT: load i64
; CHECK: rare:
; CHECK-NEXT: %[[READ:.*]] = load i64, ptr %cell
; CHECK-NEXT: store i64 %[[READ]], ptr %[[KEPT]]
; CHECK-NEXT: call void @other()
; CHECK: join:
; CHECK-NEXT: %[[WHERE:.*]] = phi ptr [ %[[KEPT]], %rare ], [ %cell, %entry ]
; CHECK: call i32 asm sideeffect {{.*}}.asciz \22*1:$2\22{{.*}}"=r,*m,r"(ptr elementtype(i32) %p, ptr %[[WHERE]]) #[[READS:[0-9]+]]
define void @kept(ptr %p, i1 %is_rare) section "culprit_text" {
entry:
  %number = ptrtoint ptr %p to i64
  %doubled = shl i64 %number, 1
  %masked = and i64 %doubled, 35184372088824
  %sum = add i64 %masked, 52776558133248
  %cell = inttoptr i64 %sum to ptr
  %id = load i64, ptr %cell
  br i1 %is_rare, label %rare, label %join, !prof !0
rare:
  call void @other()
  br label %join
join:
  %v = call i32 asm sideeffect "1:\09movl\09$1, $0\0A\09.pushsection culprit_accesses,\22aR\22,@progbits\0A\09.balign 4\0A\09.long 1b-., 1\0A\09.asciz \22$2\22\0A\09.balign 4\0A\09.popsection", "=r,*m,ri"(ptr elementtype(i32) %p, i64 %id) #0
  ret void
}
; Put aside on a rare way, and asked for where another id's addresses meet.
; CHECK-LABEL: define i64 @kept_around_a_phi(
; CHECK: rare:
; CHECK: store i64 %{{.*}}, ptr %[[ASIDE:[0-9]+]]
; CHECK: call void @other()
; CHECK: end:
; CHECK-NEXT: %[[ITS:[0-9]+]] = phi ptr [ %cell, %entry ], [ %[[ASIDE]], %rare ], [ %cell, %loop ]
; CHECK-NEXT: %[[OTHERS:[0-9]+]] = phi ptr [ %{{.*}}, %entry ], [ %{{.*}}, %rare ], [ %{{.*}}, %loop ]
; CHECK: load i64, ptr %[[ITS]]
; CHECK: load i64, ptr %[[OTHERS]]
define i64 @kept_around_a_phi(ptr %p, ptr %first, i64 %first_id, i32 %way, i1 %asks) section "culprit_text" {
entry:
  %number = ptrtoint ptr %p to i64
  %doubled = shl i64 %number, 1
  %masked = and i64 %doubled, 35184372088824
  %sum = add i64 %masked, 52776558133248
  %cell = inttoptr i64 %sum to ptr
  %id = load i64, ptr %cell
  switch i32 %way, label %loop [ i32 1, label %rare
                                 i32 2, label %end ], !prof !1
rare:
  call void @other()
  br label %end
loop:
  %walked_id = phi i64 [ %first_id, %entry ], [ %next_id, %loop ]
  %node = phi ptr [ %first, %entry ], [ %next, %loop ]
  %node_number = ptrtoint ptr %node to i64
  %node_doubled = shl i64 %node_number, 1
  %node_masked = and i64 %node_doubled, 35184372088824
  %node_sum = add i64 %node_masked, 52776558133248
  %node_cell = inttoptr i64 %node_sum to ptr
  %next_id = load i64, ptr %node_cell
  %next = load ptr, ptr %node
  %is_end = icmp eq ptr %next, null
  br i1 %is_end, label %end, label %loop
end:
  %found_id = phi i64 [ %first_id, %entry ], [ %first_id, %rare ], [ %walked_id, %loop ]
  br i1 %asks, label %ask, label %done, !prof !0
ask:
  %both = or i64 %found_id, %id
  ret i64 %both
done:
  ret i64 0
}
; CHECK-LABEL: define void @elsewhere(
; CHECK: load i64, ptr %cell
; CHECK: br i1
define void @elsewhere(ptr %p, i1 %c) {
  %number = ptrtoint ptr %p to i64
  %doubled = shl i64 %number, 1
  %masked = and i64 %doubled, 35184372088824
  %sum = add i64 %masked, 52776558133248
  %cell = inttoptr i64 %sum to ptr
  %id = load i64, ptr %cell
  br i1 %c, label %asks, label %end, !prof !0
asks:
  call void @take(i64 %id)
  br label %end
end:
  ret void
}
; CHECK: attributes #[[READS]] = {{.*}}memory(
attributes #0 = { nounwind memory(argmem: read, inaccessiblemem: readwrite) }
!0 = !{!"branch_weights", i32 1, i32 2000}
!1 = !{!"branch_weights", i32 2000, i32 1, i32 1}
