; The blame flavour is the monitor flavour with calls around each write and before each free.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S %s | FileCheck %s
; RUN: sed 's/!"blame"/!"monitor"/' %s | opt -load-pass-plugin=%plugin -passes='culprit-monitor' -S | FileCheck --check-prefix=MONITOR %s
; MONITOR-NOT: blame
!culprit.flavour = !{!0}
!0 = !{!"blame"}
declare void @free(ptr)
declare void @_ZdlPvm(ptr, i64)

; CHECK-LABEL: define void @links(
; CHECK: %[[BASE:.*]] = load i32, ptr getelementptr inbounds ({ i64, i32, i32 }, ptr @culprit.unit, i32 0, i32 2)
; CHECK-NEXT: %[[SITE:.*]] = add i32 %[[BASE]], 0
; CHECK-NEXT: call void @__culprit_blame_before(ptr %p, i64 8, i32 %[[SITE]])
; CHECK-NEXT: store ptr %q, ptr %p
; CHECK-NEXT: call void @__culprit_blame_after(ptr %p, i64 8, i32 %[[SITE]])
; CHECK: call preserve_allcc void @__culprit_card_dirty(ptr %p)
; CHECK: call void @__culprit_blame_free(ptr %q, i32
; CHECK-NEXT: call void @free(ptr %q)
; CHECK: call void @__culprit_blame_free(ptr %q, i32
; CHECK-NEXT: call void @_ZdlPvm(ptr %q, i64 8)
define void @links(ptr %p, ptr %q) {
  store ptr %q, ptr %p, align 8
  call void @free(ptr %q)
  call void @_ZdlPvm(ptr %q, i64 8)
  ret void
}
