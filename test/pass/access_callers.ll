; What a library's header does is a site of each line that calls it; inlined code of the program's own is one site.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' %s | llc -filetype=obj -relocation-model=pic -o %t.o
; RUN: %tables %t.o accesses | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!culprit.main = !{!1}
!0 = !{!"access-count"}
!1 = !{}

; By the innermost line of the program itself, wherever in the library; the library function it calls is said.
; CHECK: accesses[0] callee=_ZSt4copy column=3 function=first id={{[0-9a-f]+}} line=11{{$}}
; But for what is at a fixed place.
; CHECK-NEXT: accesses[1] callee=_ZSt4copy column=3 direct=True function=first id={{[0-9a-f]+}} line=11{{$}}
; Another line of the program is another site.
; CHECK-NEXT: accesses[2] callee=_ZSt4copy column=7 function=second id={{[0-9a-f]+}} line=21{{$}}
; A header of the program, inlined twice, is one.
; CHECK-NEXT: accesses[3] column=5 function=helper id={{[0-9a-f]+}} line=2{{$}}
; What the C library does for an inline function of its header.
; CHECK-NEXT: accesses[4] callee=strcpy column=9 function=second id={{[0-9a-f]+}} line=24{{$}}
; Not inlined, nobody is known.
; CHECK-NEXT: accesses[5] column=30 function=_ZSt4move id={{[0-9a-f]+}} line=431{{$}}
; CHECK-NOT: accesses

@total = global i32 0
declare ptr @__strcpy_chk(ptr, ptr, i64)

define void @first(ptr %p, ptr %q) !dbg !6 {
  store ptr %q, ptr %p, align 8, !dbg !31
  store i32 1, ptr %q, align 4, !dbg !32
  store i32 1, ptr @total, align 4, !dbg !32
  ret void, !dbg !14
}
define void @second(ptr %p, ptr %q, ptr %r, ptr %s) !dbg !7 {
  store ptr %q, ptr %p, align 8, !dbg !35
  store ptr %q, ptr %r, align 8, !dbg !41
  call void @unknown(), !dbg !15
  store ptr %q, ptr %s, align 8, !dbg !43
  call ptr @__strcpy_chk(ptr %r, ptr %s, i64 9), !dbg !45
  ret void, !dbg !15
}
declare void @unknown()
define linkonce_odr void @_ZSt4move(ptr %p, ptr %q) !dbg !24 {
  store ptr %q, ptr %p, align 8, !dbg !47
  ret void
}

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!3, !4}
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !5, emissionKind: FullDebug)
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 7, !"Dwarf Version", i32 5}
!5 = !DIFile(filename: "list.cpp", directory: "/src")
!6 = distinct !DISubprogram(name: "first", file: !5, line: 10, type: !8, unit: !2, spFlags: DISPFlagDefinition)
!7 = distinct !DISubprogram(name: "second", file: !5, line: 20, type: !8, unit: !2, spFlags: DISPFlagDefinition)
!8 = !DISubroutineType(types: !9)
!9 = !{null}
!14 = !DILocation(line: 12, column: 1, scope: !6)
!15 = !DILocation(line: 25, column: 1, scope: !7)
!20 = !DIFile(filename: "/usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/bits/stl_algobase.h", directory: "/src")
!21 = !DIFile(filename: "/usr/include/x86_64-linux-gnu/bits/string_fortified.h", directory: "/src")
!22 = distinct !DISubprogram(name: "__copy_m", linkageName: "_ZSt8__copy_m", file: !20, line: 420, type: !8, unit: !2, spFlags: DISPFlagDefinition)
!23 = distinct !DISubprogram(name: "copy", linkageName: "_ZSt4copy", file: !20, line: 600, type: !8, unit: !2, spFlags: DISPFlagDefinition)
!24 = distinct !DISubprogram(name: "move", linkageName: "_ZSt4move", file: !20, line: 430, type: !8, unit: !2, spFlags: DISPFlagDefinition)
!25 = distinct !DISubprogram(name: "strcpy", file: !21, line: 77, type: !8, unit: !2, spFlags: DISPFlagDefinition)
!26 = !DIFile(filename: "include/c++/list.h", directory: "/src")
!27 = distinct !DISubprogram(name: "helper", file: !26, line: 1, type: !8, unit: !2, spFlags: DISPFlagDefinition)
!29 = distinct !DILocation(line: 11, column: 3, scope: !6)
!30 = distinct !DILocation(line: 620, column: 14, scope: !23, inlinedAt: !29)
!31 = !DILocation(line: 431, column: 30, scope: !22, inlinedAt: !30)
!32 = !DILocation(line: 433, column: 9, scope: !22, inlinedAt: !30)
!33 = distinct !DILocation(line: 21, column: 7, scope: !7)
!34 = distinct !DILocation(line: 620, column: 14, scope: !23, inlinedAt: !33)
!35 = !DILocation(line: 431, column: 30, scope: !22, inlinedAt: !34)
!40 = distinct !DILocation(line: 22, column: 3, scope: !7)
!41 = !DILocation(line: 2, column: 5, scope: !27, inlinedAt: !40)
!42 = distinct !DILocation(line: 23, column: 3, scope: !7)
!43 = !DILocation(line: 2, column: 5, scope: !27, inlinedAt: !42)
!44 = distinct !DILocation(line: 24, column: 9, scope: !7)
!45 = !DILocation(line: 79, column: 10, scope: !25, inlinedAt: !44)
!47 = !DILocation(line: 431, column: 30, scope: !24)
