; Code that asks whether something is corrupt gets a second copy that does not: it looks where something corrupt may come in, and
; goes on in the first one from there. Members of one object ask for one stain.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-clean-copies,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@__culprit_clock = external global i64
@__culprit_attention = internal global [3 x i64] zeroinitializer
declare i1 @culprit.is_corrupt(i64) memory(none)
declare i64 @culprit.mark_of(i64) memory(none)
declare i64 @culprit.was_given(i64) memory(none)
declare i64 @culprit.was_read(i64, ptr, i64) memory(none)
declare i64 @__culprit_fired(i64)
declare void @found(i64)
define internal i64 @culprit.id_if_stained.4.4(ptr %p) noinline {
  %bits = load i8, ptr %p
  %stained = icmp ne i8 %bits, 0
  br i1 %stained, label %yes, label %no
yes:
  ret i64 77
no:
  ret i64 0
}

; The other copy takes what was computed before from whoever computed it.
; CHECK-LABEL: define i64 @reads(
; CHECK: %value = mul i64 %n, 3
; CHECK: load i8, ptr %{{.*}}, align 1, !tbaa
; CHECK: br i1 %{{.*}}, label %[[ASKS:.*]], label %[[ON:.*]], !prof
; CHECK: [[ON]]:
; CHECK-NEXT: br label %end
; CHECK: end:
; CHECK-NEXT: ret i64 %value
; CHECK: [[ASKS]]:
; CHECK: load i8, ptr %p
; CHECK: phi i64 [ 77, %{{.*}} ], [ 0, %{{.*}} ]
; CHECK: icmp slt i64 %{{.*}}, 0
; CHECK: call void @found(i64 %value)
; CHECK: ret i64 %value
define i64 @reads(ptr %p, i64 %n) {
  %value = mul i64 %n, 3
  %id = call i64 @culprit.id_if_stained.4.4(ptr %p)
  %bad = call i1 @culprit.is_corrupt(i64 %id)
  br i1 %bad, label %cold, label %end
cold:
  call void @found(i64 %value)
  br label %end
end:
  ret i64 %value
}

; What was given is asked once, what comes of a read by its stain; nothing is asked that nobody wants to know. Both copies know ids.
; CHECK-LABEL: define i64 @given(
; CHECK: icmp slt i64 %a, 0
; CHECK: br i1 %{{.*}}, label %[[FIRST:.*]], label %[[CLEAN:.*]], !prof
; CHECK: [[CLEAN]]:
; CHECK-NOT: icmp
; CHECK: %cell = load i64, ptr %s
; CHECK: ptrtoint ptr %p to i64
; CHECK: load i8, ptr %{{.*}}, align 1, !tbaa
; CHECK: br i1 %{{.*}}, label %[[SECOND:.*]], label %[[REST:.*]], !prof
; CHECK: [[REST]]:
; CHECK-NEXT: %[[NEWEST:.*]] = call i64 @llvm.umax.i64(i64 %a, i64 %cell)
; CHECK-NEXT: %[[TOLD:.*]] = or i64 %b, 0
; CHECK: ret i64
; CHECK: and i64 %{{.*}}, -9223372036854775808
define i64 @given(i64 %a, i64 %b, ptr %p, ptr %s) {
  %first = call i64 @culprit.was_given(i64 %a)
  %other = call i64 @culprit.was_given(i64 %b)
  %cell = load i64, ptr %s
  %q = getelementptr i8, ptr %p, i64 8
  %read = call i64 @culprit.was_read(i64 %cell, ptr %q, i64 4)
  %newest = call i64 @llvm.umax.i64(i64 %first, i64 %read)
  %mark = call i64 @culprit.mark_of(i64 %newest)
  %told = or i64 %other, %mark
  ret i64 %told
}
declare i64 @llvm.umax.i64(i64, i64)

; A definition that fires is asked for what it is then, not before.
; CHECK-LABEL: define void @fires(
; CHECK: %suspect = icmp slt i64 %raw, 0
; CHECK-NEXT: br i1 %suspect, label %cold, label %made
; CHECK: cold:
; CHECK: %known = call i64 @__culprit_fired(i64 %raw)
; CHECK-NEXT: %[[BAD:.*]] = icmp slt i64 %known, 0
; CHECK-NEXT: br i1 %[[BAD]], label %{{.*}}, label %{{.*}}, !prof
; CHECK: made:
; CHECK-NOT: icmp
; CHECK: ret void
define void @fires() {
  %now = load i64, ptr @__culprit_clock
  %next = add i64 %now, 4194304
  %attention = load i64, ptr getelementptr (i64, ptr @__culprit_attention, i64 1)
  %raw = or i64 %next, %attention
  %suspect = icmp slt i64 %raw, 0
  br i1 %suspect, label %cold, label %made
cold:
  %known = call i64 @__culprit_fired(i64 %raw)
  br label %made
made:
  %id = phi i64 [ %raw, %0 ], [ %known, %cold ]
  %bad = call i1 @culprit.is_corrupt(i64 %id)
  br i1 %bad, label %out, label %end
out:
  call void @found(i64 %id)
  br label %end
end:
  ret void
}

; What cannot be copied asks everywhere.
; CHECK-LABEL: define void @jumps(
; CHECK: icmp slt i64 %a, 0
; CHECK: indirectbr
; CHECK-NOT: indirectbr
; CHECK: }
define void @jumps(i64 %a, ptr %to) {
  %id = call i64 @culprit.was_given(i64 %a)
  %bad = call i1 @culprit.is_corrupt(i64 %id)
  br i1 %bad, label %one, label %two
one:
  ret void
two:
  indirectbr ptr %to, [label %one, label %three]
three:
  ret void
}
