; Checks of one place that were made on every way before, each beside one that must stay.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S %s | FileCheck %s
; RUN: sed 's/"access-reads"/"access-reads-count"/' %s | opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S | FileCheck --check-prefix=COUNT %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!culprit.main = !{!1}
!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!3}
!0 = !{!"access-reads"}
!1 = !{}
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !4, emissionKind: FullDebug)
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DIFile(filename: "repeats.c", directory: "/")
!5 = !DISubroutineType(types: !{null})
declare void @act()
declare void @free(ptr)
declare ptr @malloc(i64)
declare i64 @strlen(ptr)

; Before a loop and in it, under a condition of its own: one place of the source.
; CHECK-LABEL: define void @once(
; CHECK: @__culprit_access(ptr %p
; CHECK: loop:
; CHECK-NOT: culprit_access(ptr %p
; CHECK: ret void
; COUNT-LABEL: define void @once(
; COUNT: loop:
; COUNT: @__culprit_access(ptr %p
define void @once(ptr %p, i64 %n) !dbg !10 {
entry:
  %v = load i64, ptr %p, !dbg !11
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %c = icmp ult i64 %i, %v
  br i1 %c, label %again, label %latch
again:
  %w = load i64, ptr %p, !dbg !11
  br label %latch
latch:
  %next = add i64 %i, 1
  %d = icmp ult i64 %next, %n
  br i1 %d, label %loop, label %end
end:
  ret void
}
; Another place says something of its own under a condition.
; CHECK-LABEL: define void @other_place(
; CHECK: again:
; CHECK: @__culprit_access(ptr %p
define void @other_place(ptr %p, i1 %c) !dbg !20 {
entry:
  %v = load i64, ptr %p, !dbg !21
  br i1 %c, label %again, label %end
again:
  %w = load i64, ptr %p, !dbg !22
  br label %end
end:
  ret void
}
; The same place, another object.
; CHECK-LABEL: define void @other_pointer(
; CHECK: again:
; CHECK: @__culprit_access(ptr %q
define void @other_pointer(ptr %p, ptr %q, i1 %c) !dbg !30 {
entry:
  %v = load i64, ptr %p, !dbg !31
  br i1 %c, label %again, label %end
again:
  %w = load i64, ptr %q, !dbg !31
  br label %end
end:
  ret void
}
; The same place and pointer, which is another one in every round.
; CHECK-LABEL: define void @next_of_list(
; CHECK: loop:
; CHECK: @__culprit_access(ptr %p
define void @next_of_list(ptr %first, i1 %c) !dbg !40 {
entry:
  br label %loop
loop:
  %p = phi ptr [ %first, %entry ], [ %next, %latch ]
  %next = load ptr, ptr %p, !dbg !41
  br i1 %c, label %again, label %latch
again:
  %w = load ptr, ptr %p, !dbg !41
  br label %latch
latch:
  %d = icmp eq ptr %next, null
  br i1 %d, label %end, label %loop
end:
  ret void
}
; CHECK-LABEL: define void @on_one_way(
; CHECK: yes:
; CHECK: @__culprit_access(ptr %p
; CHECK: again:
; CHECK: @__culprit_access(ptr %p
define void @on_one_way(ptr %p, i1 %c, i1 %d) !dbg !50 {
entry:
  br i1 %c, label %yes, label %no
yes:
  %v = load i64, ptr %p, !dbg !51
  br label %no
no:
  br i1 %d, label %again, label %end
again:
  %w = load i64, ptr %p, !dbg !51
  br label %end
end:
  ret void
}
define i64 @uses_own(ptr %p) noinline {
  %own = call ptr @malloc(i64 8)
  %n = call i64 @strlen(ptr %p)
  call void @free(ptr %own)
  ret i64 %n
}
define void @frees_given(ptr %p) noinline {
  call void @free(ptr %p)
  ret void
}
define void @frees_either(ptr %p, i1 %c) noinline {
  %own = call ptr @malloc(i64 8)
  %some = select i1 %c, ptr %own, ptr %p
  call void @free(ptr %some)
  ret void
}
; Who frees its own block only frees nothing that was checked before.
; CHECK-LABEL: define void @own_freed(
; CHECK: @__culprit_access(ptr %p
; CHECK: call i64 @uses_own
; CHECK: again:
; CHECK-NOT: culprit_access
; CHECK: ret void
define void @own_freed(ptr %p, i1 %c) !dbg !60 {
entry:
  %v = load i64, ptr %p, !dbg !61
  %n = call i64 @uses_own(ptr %p), !dbg !61
  br i1 %c, label %again, label %end
again:
  %w = load i64, ptr %p, !dbg !61
  br label %end
end:
  ret void
}
; CHECK-LABEL: define void @given_freed(
; CHECK: again:
; CHECK: @__culprit_access(ptr %p
define void @given_freed(ptr %p, i1 %c) !dbg !70 {
entry:
  %v = load i64, ptr %p, !dbg !71
  call void @frees_given(ptr %p), !dbg !71
  br i1 %c, label %again, label %end
again:
  %w = load i64, ptr %p, !dbg !71
  br label %end
end:
  ret void
}
; CHECK-LABEL: define void @either_freed(
; CHECK: again:
; CHECK: @__culprit_access(ptr %p
define void @either_freed(ptr %p, i1 %c) !dbg !80 {
entry:
  %v = load i64, ptr %p, !dbg !81
  call void @frees_either(ptr %p, i1 %c), !dbg !81
  br i1 %c, label %again, label %end
again:
  %w = load i64, ptr %p, !dbg !81
  br label %end
end:
  ret void
}
!10 = distinct !DISubprogram(name: "once", file: !4, line: 10, type: !5, unit: !2, spFlags: DISPFlagDefinition)
!11 = !DILocation(line: 11, column: 3, scope: !10)
!20 = distinct !DISubprogram(name: "other_place", file: !4, line: 20, type: !5, unit: !2, spFlags: DISPFlagDefinition)
!21 = !DILocation(line: 21, column: 3, scope: !20)
!22 = !DILocation(line: 22, column: 3, scope: !20)
!30 = distinct !DISubprogram(name: "other_pointer", file: !4, line: 30, type: !5, unit: !2, spFlags: DISPFlagDefinition)
!31 = !DILocation(line: 31, column: 3, scope: !30)
!40 = distinct !DISubprogram(name: "next_of_list", file: !4, line: 40, type: !5, unit: !2, spFlags: DISPFlagDefinition)
!41 = !DILocation(line: 41, column: 3, scope: !40)
!50 = distinct !DISubprogram(name: "on_one_way", file: !4, line: 50, type: !5, unit: !2, spFlags: DISPFlagDefinition)
!51 = !DILocation(line: 51, column: 3, scope: !50)
!60 = distinct !DISubprogram(name: "own_freed", file: !4, line: 60, type: !5, unit: !2, spFlags: DISPFlagDefinition)
!61 = !DILocation(line: 61, column: 3, scope: !60)
!70 = distinct !DISubprogram(name: "given_freed", file: !4, line: 70, type: !5, unit: !2, spFlags: DISPFlagDefinition)
!71 = !DILocation(line: 71, column: 3, scope: !70)
!80 = distinct !DISubprogram(name: "either_freed", file: !4, line: 80, type: !5, unit: !2, spFlags: DISPFlagDefinition)
!81 = !DILocation(line: 81, column: 3, scope: !80)
