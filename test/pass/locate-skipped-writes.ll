; Room of the compiler's that is written on the ways that a branch on something corrupt jumps over, and not before it, is zero
; and corrupt where the ways meet: in registers, in memory, and where the caller wants the result.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"suppress"}
%pair = type { i32, i32 }
declare void @make(ptr)
declare void @show(ptr)

; CHECK-LABEL: define i64 @chosen(
; CHECK: %[[IDS:.*]] = alloca [2 x i64]
; CHECK: br i1 %{{.*}}, label %culprit.unwritten, label %{{.*}}, !prof
; CHECK: end:
; CHECK: culprit.unwritten:
; CHECK-NEXT: getelementptr i64, ptr %[[IDS]], i64 0
; CHECK-NEXT: store i64 -9223372036854775808
; CHECK-NEXT: getelementptr i64, ptr %[[IDS]], i64 1
; CHECK-NEXT: store i64 -9223372036854775808
; CHECK-NEXT: call void @llvm.memset.p0.i64(ptr align 8 %{{.*}}, i8 0, i64 8, i1 false)
; CHECK-NEXT: br label %end
define i64 @chosen(i32 %c, i32 %x) {
entry:
  %room = alloca %pair, align 8
  %t = icmp eq i32 %c, 0
  br i1 %t, label %one, label %two
one:
  store i64 1, ptr %room, align 8
  br label %end
two:
  store i32 %x, ptr %room, align 8
  %second = getelementptr %pair, ptr %room, i32 0, i32 1
  store i32 %c, ptr %second, align 4
  br label %end
end:
  %r = load i64, ptr %room, align 8
  ret i64 %r
}

; CHECK-LABEL: define void @made(
; CHECK: br i1 %{{.*}}, label %culprit.unwritten, label %{{.*}}, !prof
; CHECK: culprit.unwritten:
; CHECK-NEXT: call void @__culprit_define(ptr %[[PLACE:.*]], i64 8, i64 -9223372036854775808)
; CHECK-NEXT: call void @llvm.memset.p0.i64(ptr align 8 %[[PLACE]], i8 0, i64 8, i1 false)
define void @made(i32 %c) {
entry:
  %room = alloca %pair, align 8
  %t = icmp eq i32 %c, 0
  br i1 %t, label %one, label %end
one:
  call void @make(ptr %room)
  br label %end
end:
  call void @show(ptr %room)
  ret void
}

; CHECK-LABEL: define void @result(
; CHECK: br i1 %{{.*}}, label %culprit.unwritten, label %{{.*}}, !prof
; CHECK: culprit.return:
; CHECK-NEXT: ret void
; CHECK: culprit.unwritten:
; CHECK-NEXT: call void @__culprit_define(ptr %to, i64 8, i64 -9223372036854775808)
; CHECK-NEXT: call void @llvm.memset.p0.i64(ptr align 4 %to, i8 0, i64 8, i1 false)
; CHECK-NEXT: br label %culprit.return
define void @result(ptr sret(%pair) align 4 %to, i32 %c) {
entry:
  %t = icmp eq i32 %c, 0
  br i1 %t, label %one, label %two
one:
  call void @make(ptr %to)
  ret void
two:
  store i64 0, ptr %to
  ret void
}

; What was written before, and what the program has declared, is not.
; CHECK-LABEL: define void @written(
; CHECK-NOT: culprit.unwritten
; CHECK: ret void
define void @written(i32 %c) !dbg !5 {
entry:
  %room = alloca %pair, align 8
  %own = alloca %pair, align 8
  call void @llvm.dbg.declare(metadata ptr %own, metadata !8, metadata !DIExpression()), !dbg !11
  call void @make(ptr %room)
  %t = icmp eq i32 %c, 0
  br i1 %t, label %one, label %end
one:
  call void @make(ptr %room)
  call void @make(ptr %own)
  br label %end
end:
  call void @show(ptr %room)
  call void @show(ptr %own)
  ret void
}
declare void @llvm.dbg.declare(metadata, metadata, metadata)
!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!4}
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, emissionKind: FullDebug)
!3 = !DIFile(filename: "s.c", directory: "/src")
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "written", file: !3, line: 1, type: !6, unit: !2, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!8 = !DILocalVariable(name: "own", scope: !5, file: !3, line: 2, type: !9)
!9 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!11 = !DILocation(line: 2, column: 3, scope: !5)
