; Copies of inlined code are sites of their own: helper() is inlined twice.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S %s | FileCheck %s
; CHECK-LABEL: define void @first(
; CHECK: %[[ONE:.*]] = add i32 %{{.*}}, 0
; CHECK-NEXT: call void @__culprit_blame_before(ptr %p, i64 8, i32 %[[ONE]])
; CHECK-LABEL: define void @second(
; CHECK: %[[OTHER:.*]] = add i32 %{{.*}}, 1
; CHECK-NEXT: call void @__culprit_blame_before(ptr %p, i64 8, i32 %[[OTHER]])
!culprit.flavour = !{!0}
!0 = !{!"blame"}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!2, !3}
!1 = distinct !DICompileUnit(language: DW_LANG_C11, file: !4, emissionKind: FullDebug)
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = !DIFile(filename: "list.c", directory: "/src")
!5 = distinct !DISubprogram(name: "helper", file: !4, line: 1, type: !8, unit: !1, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "first", file: !4, line: 10, type: !8, unit: !1, spFlags: DISPFlagDefinition)
!7 = distinct !DISubprogram(name: "second", file: !4, line: 20, type: !8, unit: !1, spFlags: DISPFlagDefinition)
!8 = !DISubroutineType(types: !9)
!9 = !{null}
!10 = distinct !DILocation(line: 11, column: 3, scope: !6)
!11 = !DILocation(line: 2, column: 5, scope: !5, inlinedAt: !10)
!12 = distinct !DILocation(line: 21, column: 3, scope: !7)
!13 = !DILocation(line: 2, column: 5, scope: !5, inlinedAt: !12)
!14 = !DILocation(line: 12, column: 1, scope: !6)

define void @first(ptr %p, ptr %q) !dbg !6 {
  store ptr %q, ptr %p, align 8, !dbg !11
  ret void, !dbg !14
}

define void @second(ptr %p, ptr %q) !dbg !7 {
  store ptr %q, ptr %p, align 8, !dbg !13
  ret void
}
