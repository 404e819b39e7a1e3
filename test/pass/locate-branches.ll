; A branch on what is corrupt goes where its ways meet; phis there get zero, and are corrupt. Ways that end the
; program do not count, and where the ways do not meet, the function returns.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"suppress"}
declare void @abort() noreturn
; CHECK-LABEL: define i32 @meet(
; CHECK: %[[BAD:.*]] = call i1 @culprit.is_corrupt(i64 %[[ID:.*]])
; CHECK-NEXT: br i1 %[[BAD]], label %end, label %[[GOOD:.*]], !prof
; CHECK: [[GOOD]]:
; CHECK-NEXT: br i1 %t, label %one, label %two
; CHECK: two:
; CHECK: br i1 %{{.*}}, label %end, label %[[LAST:.*]], !prof
; CHECK: end:
; CHECK: phi i64 [ %{{.*}}, %one ], [ %{{.*}}, %[[LAST]] ], [ -9223372036854775808, %entry ], [ -9223372036854775808, %two ]
; CHECK: %r = phi i32 [ %c, %one ], [ %x, %[[LAST]] ], [ 0, %entry ], [ 0, %two ]
define i32 @meet(i32 %c, i32 %x) {
entry:
  %t = icmp eq i32 %c, 0
  br i1 %t, label %one, label %two
one:
  br label %end
two:
  %u = icmp eq i32 %x, 7
  br i1 %u, label %stop, label %end
stop:
  call void @abort()
  unreachable
end:
  %r = phi i32 [ %c, %one ], [ %x, %two ]
  ret i32 %r
}
; CHECK-LABEL: define i32 @apart(
; CHECK: br i1 %{{.*}}, label %culprit.return, label
; CHECK: culprit.return:
; CHECK-NEXT: store i64 -9223372036854775808, ptr @__culprit_result_id
; CHECK-NEXT: ret i32 0
define i32 @apart(i32 %c, i32 %x) {
entry:
  %t = icmp eq i32 %c, 0
  br i1 %t, label %one, label %two
one:
  ret i32 %c
two:
  ret i32 %x
}
; A loop that ends by exit alone goes on with its next turn.
; CHECK-LABEL: define void @forever(
; CHECK: loop:
; CHECK: br i1 %{{.*}}, label %next, label
; CHECK: next:
; CHECK: br i1 %{{.*}}, label %quit, label
declare void @quits() noreturn
define void @forever(ptr %p) {
entry:
  br label %loop
loop:
  %v = load i32, ptr %p, align 4
  %t = icmp eq i32 %v, 0
  br i1 %t, label %one, label %next
one:
  store i32 1, ptr %p, align 4
  br label %next
next:
  %w = load i32, ptr %p, align 4
  %u = icmp eq i32 %w, 0
  br i1 %u, label %quit, label %loop
quit:
  call void @quits()
  unreachable
}
; A result that was to be written by what is jumped over is corrupt.
; CHECK-LABEL: define i32 @result(
; CHECK: %[[SHADOW:.*]] = alloca [1 x i64]
; CHECK: store i32 0, ptr %r
; CHECK: %[[CELL:.*]] = getelementptr i64, ptr %[[SHADOW]], i64 0
; CHECK-NEXT: store i64 -9223372036854775808, ptr %[[CELL]]
; CHECK: br i1 %{{.*}}, label %end, label
; CHECK: end:
; CHECK: %[[ID:.*]] = load i64, ptr
; CHECK: store i64 %[[ID]], ptr @__culprit_result_id
define i32 @result(i32 %c) {
entry:
  %r = alloca i32
  %t = icmp eq i32 %c, 0
  br i1 %t, label %one, label %two
one:
  store i32 1, ptr %r
  br label %end
two:
  store i32 2, ptr %r
  br label %end
end:
  %v = load i32, ptr %r
  ret i32 %v
}
