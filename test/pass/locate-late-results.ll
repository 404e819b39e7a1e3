; A search returns the address of the id that its result was read with, and who called it reads there, or lets an access tell
; from there. What came from elsewhere is put into a variable.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-late-reads,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
; CHECK: @[[VARIABLE:culprit.result_id]] = private global [2 x i64] zeroinitializer, section "culprit_returned", align 8
declare i64 @llvm.umax.i64(i64, i64)
declare void @other()
declare void @take(i64)
; CHECK-LABEL: define internal { ptr, ptr } @search(
; CHECK: %[[CELL:.*]] = inttoptr
; CHECK-NOT: load i64
; CHECK: insertvalue { ptr, ptr } %{{.*}}, ptr %[[CELL]], 1
; CHECK: ret { ptr, ptr }
define internal { ptr, i64 } @search(ptr %list, i64 %list_id) section "culprit_text" {
  %number = ptrtoint ptr %list to i64
  %doubled = shl i64 %number, 1
  %masked = and i64 %doubled, 35184372088824
  %sum = add i64 %masked, 52776558133248
  %cell = inttoptr i64 %sum to ptr
  %a = load i64, ptr %cell
  %high = getelementptr i8, ptr %cell, i64 8
  %b = load i64, ptr %high
  %id = call i64 @llvm.umax.i64(i64 %a, i64 %b)
  %next = load ptr, ptr %list
  %with = insertvalue { ptr, i64 } poison, ptr %next, 0
  %all = insertvalue { ptr, i64 } %with, i64 %id, 1
  ret { ptr, i64 } %all
}
; Nobody asks but the access that tells: the id is not read.
; CHECK-LABEL: define i32 @tells(
; CHECK: %[[RESULT:.*]] = call { ptr, ptr } @search(
; CHECK: %[[AT:.*]] = extractvalue { ptr, ptr } %[[RESULT]], 1
; CHECK-NOT: load i64
; CHECK: asm sideeffect {{.*}}.asciz \22*2:$2\22{{.*}}ptr %[[AT]])
define i32 @tells(ptr %list, i64 %list_id) section "culprit_text" {
  %result = call { ptr, i64 } @search(ptr %list, i64 %list_id)
  %found = extractvalue { ptr, i64 } %result, 0
  %id = extractvalue { ptr, i64 } %result, 1
  %value = call i32 asm sideeffect "1:\09movl\09$1, $0\0A\09.pushsection culprit_accesses,\22aR\22,@progbits\0A\09.balign 4\0A\09.long 1b-., 7\0A\09.asciz \22$2\22\0A\09.balign 4\0A\09.popsection", "=r,*m,ri"(ptr nocapture elementtype(i32) %found, i64 %id) nounwind memory(argmem: read, inaccessiblemem: readwrite)
  ret i32 %value
}
; Behind a call that may write ids it is too late.
; CHECK-LABEL: define void @keeps(
; CHECK: %[[RESULT:.*]] = call { ptr, ptr } @search(
; CHECK: %[[AT:.*]] = extractvalue { ptr, ptr } %[[RESULT]], 1
; CHECK-NEXT: %[[LOW:.*]] = load i64, ptr %[[AT]]
; CHECK: %[[ID:.*]] = call i64 @llvm.umax.i64(i64 %[[LOW]],
; CHECK: call void @other()
; CHECK: call void @take(i64 %[[ID]])
define void @keeps(ptr %list, i64 %list_id) section "culprit_text" {
  %result = call { ptr, i64 } @search(ptr %list, i64 %list_id)
  %id = extractvalue { ptr, i64 } %result, 1
  call void @other()
  call void @take(i64 %id)
  ret void
}
; A choice of two searches is made element by element, or the result could not be changed.
; CHECK-LABEL: define i64 @chooses(
; CHECK: call { ptr, ptr } @search(
; CHECK: call { ptr, ptr } @search(
; CHECK-NOT: phi { ptr
; CHECK: ret i64
define i64 @chooses(i1 %which, ptr %list, ptr %other) section "culprit_text" {
  br i1 %which, label %one, label %two
one:
  %first = call { ptr, i64 } @search(ptr %list, i64 0)
  br label %end
two:
  %second = call { ptr, i64 } @search(ptr %other, i64 0)
  br label %end
end:
  %result = phi { ptr, i64 } [ %first, %one ], [ %second, %two ]
  %id = extractvalue { ptr, i64 } %result, 1
  ret i64 %id
}
; Seldom the result is what was given: its id has no cell.
; CHECK-LABEL: define internal { ptr, ptr } @search_from(
; CHECK: given:
; CHECK: store i64 %list_id, ptr @[[VARIABLE]]
; CHECK: end:
; CHECK: phi ptr [ @[[VARIABLE]], %given ], [ %cell, %found ]
; CHECK: ret { ptr, ptr }
define internal { ptr, i64 } @search_from(ptr %list, i64 %list_id) section "culprit_text" {
  %is_last = icmp eq ptr %list, null
  br i1 %is_last, label %given, label %found, !prof !0
given:
  call void @other()
  br label %end
found:
  %number = ptrtoint ptr %list to i64
  %doubled = shl i64 %number, 1
  %masked = and i64 %doubled, 35184372088824
  %sum = add i64 %masked, 52776558133248
  %cell = inttoptr i64 %sum to ptr
  %a = load i64, ptr %cell
  %high = getelementptr i8, ptr %cell, i64 8
  %b = load i64, ptr %high
  %read = call i64 @llvm.umax.i64(i64 %a, i64 %b)
  %next = load ptr, ptr %list
  br label %end
end:
  %node = phi ptr [ %list, %given ], [ %next, %found ]
  %id = phi i64 [ %list_id, %given ], [ %read, %found ]
  %with = insertvalue { ptr, i64 } poison, ptr %node, 0
  %all = insertvalue { ptr, i64 } %with, i64 %id, 1
  ret { ptr, i64 } %all
}
define void @searches(ptr %list, i64 %list_id) section "culprit_text" {
  %result = call { ptr, i64 } @search_from(ptr %list, i64 %list_id)
  ret void
}
; Of a function whose address is known others may be the callers, and what was written over is no id of the result any more.
; CHECK-LABEL: define internal { ptr, i64 } @known(
; CHECK-LABEL: define internal { ptr, i64 } @written(
@table = global ptr @known
define internal { ptr, i64 } @known(ptr %list) section "culprit_text" {
  %number = ptrtoint ptr %list to i64
  %doubled = shl i64 %number, 1
  %masked = and i64 %doubled, 35184372088824
  %sum = add i64 %masked, 52776558133248
  %cell = inttoptr i64 %sum to ptr
  %id = load i64, ptr %cell
  %with = insertvalue { ptr, i64 } poison, ptr %list, 0
  %all = insertvalue { ptr, i64 } %with, i64 %id, 1
  ret { ptr, i64 } %all
}
define internal { ptr, i64 } @written(ptr %list) section "culprit_text" {
  %number = ptrtoint ptr %list to i64
  %doubled = shl i64 %number, 1
  %masked = and i64 %doubled, 35184372088824
  %sum = add i64 %masked, 52776558133248
  %cell = inttoptr i64 %sum to ptr
  %id = load i64, ptr %cell
  call void @other()
  %with = insertvalue { ptr, i64 } poison, ptr %list, 0
  %all = insertvalue { ptr, i64 } %with, i64 %id, 1
  ret { ptr, i64 } %all
}
define void @uses_written(ptr %list) section "culprit_text" {
  %result = call { ptr, i64 } @written(ptr %list)
  ret void
}
!0 = !{!"branch_weights", i32 1, i32 2000}
