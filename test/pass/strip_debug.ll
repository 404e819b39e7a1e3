; What was added for the capture goes: compile unit, locations, variables, and the module flags that only a module
; with debug information has. Other flags stay.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-strip-debug' -S %s | FileCheck %s
; CHECK-NOT: !llvm.dbg.cu
; CHECK-NOT: #dbg_
; CHECK-NOT: !dbg
; CHECK: !llvm.module.flags = !{![[#FLAG:]]}
; CHECK: ![[#FLAG]] = !{i32 8, !"PIC Level", i32 2}
; CHECK-NOT: Dwarf Version
; CHECK-NOT: Debug Info Version
define i32 @f(i32 %n) !dbg !5 {
    #dbg_value(i32 %n, !8, !DIExpression(), !9)
  ret i32 %n, !dbg !9
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 8, !"PIC Level", i32 2}
!5 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !6, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!8 = !DILocalVariable(name: "n", scope: !5, file: !1, line: 1, type: !10)
!9 = !DILocation(line: 1, column: 1, scope: !5)
!10 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
