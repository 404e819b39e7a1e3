; The explain flavour: one frame for all variables, zeroed and announced; a counter for the loop, 0 before it and one more
; at its header; a point before each line; the site of each call beside it; each access told; the frame taken off before
; it goes. The result of f lives across the call of g: it is kept in the frame.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-explain,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"explain"}
!culprit.main = !{!1}
!1 = !{}
@kept = internal global i32 0
@optind = external global i32
@unknown_size = external global [0 x i32]
@taken = internal constant ptr @qsorts_helper
declare i32 @qsorts_helper(ptr, ptr)
declare i1 @_ZNSt8ios_base15sync_with_stdioEb(i1)
declare i32 @f(i32)
declare i32 @g()
declare ptr @malloc(i64)
; The globals: what is written is a region of kind 1, a library's too; a function of a library's whose address is
; taken is one of kind 7. Streams of C++ have no buffers of their own.
; CHECK: @culprit.globals = {{.*}} { ptr @kept, i64 4, i64 {{-?[0-9]+}}, i32 1, i32 {{[0-9]+}} }
; CHECK-SAME: { ptr @optind, i64 4, i64 {{-?[0-9]+}}, i32 1, i32 {{[0-9]+}} }
; CHECK-NOT: @unknown_size
; CHECK-SAME: { ptr @qsorts_helper, i64 1, i64 {{-?[0-9]+}}, i32 7, i32 {{[0-9]+}} }
; CHECK-LABEL: define i32 @loop(
; CHECK-NEXT:  entry:
; CHECK-NEXT:    %[[FRAME:.*]] = alloca [[[#]] x i8], align 16
; CHECK-NEXT:    call void @llvm.memset.p0.i64(ptr align 16 %[[FRAME]], i8 0,
; CHECK-NEXT:    call void @__culprit_explain_enter(ptr %[[FRAME]], ptr @culprit.function
; CHECK:         %[[RESET:.*]] = getelementptr inbounds i8, ptr %[[FRAME]], i64 32
; CHECK-NEXT:    store i64 0, ptr %[[RESET]]
; CHECK-NEXT:    br label %head
; CHECK:       head:
; CHECK:         %[[COUNTER:.*]] = getelementptr inbounds i8, ptr %[[FRAME]], i64 32
; CHECK-NEXT:    %[[BEFORE:.*]] = load i64, ptr %[[COUNTER]]
; CHECK-NEXT:    %[[MORE:.*]] = add i64 %[[BEFORE]], 1
; CHECK-NEXT:    store i64 %[[MORE]], ptr %[[COUNTER]]
; CHECK:         call void @__culprit_explain_point(ptr %[[FRAME]], i32 [[#]])
; CHECK:         call void @__culprit_explain_read(ptr %i, i64 4)
; CHECK-NEXT:    load i32, ptr %i
; CHECK:       body:
; CHECK:         call void @__culprit_explain_point(ptr %[[FRAME]], i32 [[#]])
; CHECK:         %[[SITE:.*]] = getelementptr inbounds i8, ptr %[[FRAME]], i64 24
; CHECK-NEXT:    store i64 [[#]], ptr %[[SITE]]
; CHECK-NEXT:    %r = call i32 @f(
; CHECK:         call void @__culprit_explain_write(ptr %[[KEPT:.*]], i64 -9223372036854775804)
; CHECK-NEXT:    store i32 %r, ptr %[[KEPT]]
; CHECK:         call i32 @g()
; CHECK:         load i32, ptr %[[KEPT]]
; CHECK:         call void @__culprit_explain_write(ptr @kept, i64 4)
; CHECK-NEXT:    store i32 %{{.*}}, ptr @kept
; CHECK:       done:
; CHECK:         call void @__culprit_explain_leave(ptr %[[FRAME]])
; CHECK-NEXT:    ret i32
define i32 @loop(i32 %n) !dbg !20 {
entry:
  %n.addr = alloca i32
  %i = alloca i32
  store i32 %n, ptr %n.addr
  store i32 0, ptr %i, !dbg !30
  br label %head, !dbg !30
head:
  %v = load i32, ptr %i, !dbg !31
  %m = load i32, ptr %n.addr, !dbg !31
  %c = icmp slt i32 %v, %m, !dbg !31
  br i1 %c, label %body, label %done, !dbg !31
body:
  %w = load i32, ptr %i, !dbg !32
  %r = call i32 @f(i32 %w), !dbg !32
  %s = call i32 @g(), !dbg !32
  %t = add i32 %r, %s, !dbg !32
  store i32 %t, ptr @kept, !dbg !32
  %x = load i32, ptr %i, !dbg !31
  %y = add i32 %x, 1, !dbg !31
  store i32 %y, ptr %i, !dbg !31
  br label %head, !dbg !31
done:
  %z = load i32, ptr @kept, !dbg !33
  ret i32 %z, !dbg !33
}
; Without lines there are no points, but calls are sites.
; CHECK-LABEL: define ptr @unknown(
; CHECK-NOT:   explain_point
; CHECK:       store i64 [[#]], ptr
; CHECK-NEXT:  call ptr @malloc
define ptr @unknown() {
  %p = call ptr @malloc(i64 8)
  ret ptr %p
}
!llvm.dbg.cu = !{!10}
!llvm.module.flags = !{!12}
!10 = distinct !DICompileUnit(language: DW_LANG_C11, file: !11, emissionKind: FullDebug)
!11 = !DIFile(filename: "a.c", directory: "/src")
!12 = !{i32 2, !"Debug Info Version", i32 3}
!13 = !DISubroutineType(types: !14)
!14 = !{}
!20 = distinct !DISubprogram(name: "loop", file: !11, line: 1, type: !13, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !10)
!30 = !DILocation(line: 2, column: 3, scope: !20)
!31 = !DILocation(line: 3, column: 3, scope: !20)
!32 = !DILocation(line: 4, column: 3, scope: !20)
!33 = !DILocation(line: 6, column: 3, scope: !20)
