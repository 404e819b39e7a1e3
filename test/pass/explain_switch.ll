; The explain flavour asks the runtime what a switch goes by: the value that it has, and one value for each place it leads to.
; Two cases that lead to one place are one way, and so is what no case names; where nothing else can be, that is no way.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-explain,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"explain"}
!culprit.main = !{!1}
!1 = !{}
; CHECK-DAG: @[[WAYS:culprit.ways.*]] = private constant [3 x i64] [i64 0, i64 7, i64 2]
; CHECK-DAG: @[[TWO:culprit.ways.*]] = private constant [2 x i64] [i64 0, i64 1]
; CHECK-LABEL: define i32 @ways(
; CHECK:       %[[WIDE:.*]] = zext i32 %{{.*}} to i64
; CHECK-NEXT:  %[[DECIDED:.*]] = call i64 @__culprit_explain_choose(ptr %{{.*}}, i32 [[#]], i64 %[[WIDE]], ptr @[[WAYS]], i32 3)
; CHECK-NEXT:  %[[VALUE:.*]] = trunc i64 %[[DECIDED]] to i32
; CHECK:       switch i32 %[[VALUE]], label %other [
define i32 @ways(i32 %kind) !dbg !20 {
  switch i32 %kind, label %other [
    i32 0, label %first
    i32 1, label %first
    i32 7, label %second
  ], !dbg !30
first:
  ret i32 1, !dbg !31
second:
  ret i32 2, !dbg !31
other:
  ret i32 3, !dbg !31
}
; CHECK-LABEL: define i32 @all(
; CHECK:       call i64 @__culprit_explain_choose(ptr %{{.*}}, i32 [[#]], i64 %{{.*}}, ptr @[[TWO]], i32 2)
define i32 @all(i8 %kind) !dbg !21 {
  switch i8 %kind, label %never [
    i8 0, label %first
    i8 1, label %second
  ], !dbg !32
first:
  ret i32 1, !dbg !33
second:
  ret i32 2, !dbg !33
never:
  unreachable
}
!llvm.dbg.cu = !{!10}
!llvm.module.flags = !{!12}
!10 = distinct !DICompileUnit(language: DW_LANG_C11, file: !11, emissionKind: FullDebug)
!11 = !DIFile(filename: "a.c", directory: "/src")
!12 = !{i32 2, !"Debug Info Version", i32 3}
!13 = !DISubroutineType(types: !14)
!14 = !{}
!20 = distinct !DISubprogram(name: "ways", file: !11, line: 1, type: !13, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !10)
!21 = distinct !DISubprogram(name: "all", file: !11, line: 11, type: !13, scopeLine: 11, spFlags: DISPFlagDefinition, unit: !10)
!30 = !DILocation(line: 2, column: 3, scope: !20)
!31 = !DILocation(line: 3, column: 3, scope: !20)
!32 = !DILocation(line: 12, column: 3, scope: !21)
!33 = !DILocation(line: 13, column: 3, scope: !21)
