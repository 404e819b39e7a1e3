; Who returns what it has read says beside the id whether that is corrupt: its clean copy knows it by the stain. Who called it
; goes by that and need not look at the id.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-clean-copies,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare i1 @culprit.is_corrupt(i64) memory(none)
declare i64 @culprit.was_given(i64) memory(none)
declare i64 @culprit.was_read(i64, ptr, i64) memory(none)
declare void @found(ptr)
; CHECK-LABEL: define internal { ptr, i64, i1 } @search(
; CHECK: %id = load i64
; CHECK: br i1 %{{.*}}, label %[[ASKS:.*]], label %[[ON:.*]], !prof
; CHECK: [[ON]]:
; CHECK: insertvalue { ptr, i64, i1 } %{{.*}}, i1 false, 2
; CHECK: [[ASKS]]:
; CHECK: %[[BAD:.*]] = icmp slt i64 %{{.*}}, 0
; CHECK: insertvalue { ptr, i64, i1 } %{{.*}}, i1 %[[BAD]], 2
define internal { ptr, i64 } @search(ptr %list, ptr %cell) {
  %id = load i64, ptr %cell
  %read = call i64 @culprit.was_read(i64 %id, ptr %list, i64 8)
  %next = load ptr, ptr %list
  %with = insertvalue { ptr, i64 } poison, ptr %next, 0
  %all = insertvalue { ptr, i64 } %with, i64 %read, 1
  ret { ptr, i64 } %all
}
; CHECK-LABEL: define void @calls(
; CHECK: %[[RESULT:.*]] = call { ptr, i64, i1 } @search(
; CHECK: %[[MARK:.*]] = extractvalue { ptr, i64, i1 } %[[RESULT]], 2
; CHECK: br i1 %[[MARK]], label %[[ASKS:.*]], label %[[ON:.*]], !prof
; CHECK: [[ON]]:
; CHECK-NOT: icmp slt
; CHECK: [[ASKS]]:
; CHECK: icmp slt i64 %{{.*}}, 0
define void @calls(ptr %list, ptr %cell) {
  %result = call { ptr, i64 } @search(ptr %list, ptr %cell)
  %next = extractvalue { ptr, i64 } %result, 0
  %id = extractvalue { ptr, i64 } %result, 1
  %given = call i64 @culprit.was_given(i64 %id)
  %bad = call i1 @culprit.is_corrupt(i64 %given)
  br i1 %bad, label %end, label %good
good:
  call void @found(ptr %next)
  br label %end
end:
  ret void
}
; An id that was made is in a register already.
; CHECK-LABEL: define internal { ptr, i64 } @makes(
define internal { ptr, i64 } @makes(ptr %list, i64 %id) {
  %with = insertvalue { ptr, i64 } poison, ptr %list, 0
  %all = insertvalue { ptr, i64 } %with, i64 %id, 1
  ret { ptr, i64 } %all
}
define void @asks(ptr %list, i64 %list_id) {
  %result = call { ptr, i64 } @makes(ptr %list, i64 %list_id)
  %id = extractvalue { ptr, i64 } %result, 1
  %given = call i64 @culprit.was_given(i64 %id)
  %bad = call i1 @culprit.is_corrupt(i64 %given)
  br i1 %bad, label %end, label %good
good:
  call void @found(ptr %list)
  br label %end
end:
  ret void
}
