; A block that is freed through wrappers is given back by whoever calls them: that is announced
; before the call, and the wrappers' own frees say only that it happened.
; RUN: opt -load-pass-plugin=%plugin -load=%plugin -passes='culprit-prepare,culprit-monitor,verify' -culprit-flavour=blame -S %s | FileCheck %s
; RUN: opt -load-pass-plugin=%plugin -load=%plugin -passes='culprit-prepare,culprit-monitor' -culprit-flavour=monitor -S %s | FileCheck --check-prefix=MONITOR %s
; MONITOR-NOT: __culprit_blame
; MONITOR-NOT: culprit.free_wrappers
declare void @free(ptr)
@release = external global ptr

; CHECK-LABEL: define void @xfree(
; CHECK-NOT: blame_freeing
; CHECK: call void @__culprit_blame_free(ptr %block, i32
; CHECK-NEXT: call void @free(ptr %block)
define void @xfree(ptr %p) {
  %local = alloca ptr
  store ptr %p, ptr %local
  %block = load ptr, ptr %local
  call void @free(ptr %block)
  ret void
}

; It compares the block, and writes it, but does not read it.
; CHECK-LABEL: define void @pool_free(
; CHECK-NOT: blame_free
define void @pool_free(ptr %pool, ptr %p) {
  %small = icmp ult ptr %p, %pool
  br i1 %small, label %keep, label %give
keep:
  %next = getelementptr i8, ptr %p, i64 8
  store ptr %pool, ptr %next
  ret void
give:
  call void @xfree(ptr %p)
  ret void
}

; What lies before the block is the allocator's.
; CHECK-LABEL: define void @counted_free(
; CHECK-NOT: blame_freeing
define void @counted_free(ptr %p) {
  %header = getelementptr inbounds i64, ptr %p, i64 -1
  %size = load i64, ptr %header
  call void @xfree(ptr %p)
  ret void
}

; Indirectly: it may be a table of allocators.
; CHECK-LABEL: define void @table_free(
; CHECK-NOT: blame_free
define void @table_free(ptr %p) {
  %function = load ptr, ptr @release
  call void %function(ptr %p)
  ret void
}

; CHECK-LABEL: define void @drop(
; CHECK: call void @__culprit_blame_freeing(ptr %q, i32 %[[ONE:.*]])
; CHECK-NEXT: call void @pool_free(ptr %p, ptr %q)
; CHECK: call void @__culprit_blame_freeing(ptr %p, i32
; CHECK-NEXT: call void @table_free(ptr %p)
; CHECK: call void @__culprit_blame_freeing(ptr %p, i32
; CHECK-NEXT: call void @counted_free(ptr %p)
define void @drop(ptr %p) {
  %q = load ptr, ptr %p
  call void @pool_free(ptr %p, ptr %q)
  call void @table_free(ptr %p)
  call void @counted_free(ptr %p)
  ret void
}

; A function that frees what the block points to does more than pass it on.
; CHECK-LABEL: define void @destroy(
; CHECK: call void @__culprit_blame_freeing(ptr %q, i32 %[[SITE:.*]])
; CHECK-NEXT: call void @__culprit_blame_free(ptr %q, i32 %[[SITE]])
; CHECK-NEXT: call void @free(ptr %q)
; CHECK: call void @__culprit_blame_freeing(ptr %p, i32
; CHECK-NEXT: call void @xfree(ptr %p)
define void @destroy(ptr %p) {
  %q = load ptr, ptr %p
  call void @free(ptr %q)
  call void @xfree(ptr %p)
  ret void
}

; CHECK-LABEL: define void @user(
; CHECK-NOT: blame_free
; CHECK: call void @destroy(ptr %p)
define void @user(ptr %p) {
  call void @destroy(ptr %p)
  ret void
}
