; What unseen code may have written is marked after the call.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"
!culprit.flavour = !{!0}
!0 = !{!"monitor"}
declare void @qsort(ptr, i64, i64, ptr)
declare i64 @read(i32, ptr, i64)
declare i32 @printf(ptr, ...)
declare i32 @__isoc99_sscanf(ptr, ptr, ...)
declare ptr @__strcpy_chk(ptr, ptr, i64)
declare void @unknown(ptr, ptr readonly)
declare i64 @pure(ptr) memory(read)
declare void @_ZNSt8__detail15_List_node_base7_M_hookEPS0_(ptr, ptr)
declare ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm(ptr, ptr, i64)
declare i64 @_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4findEPKcmm(ptr, ptr, i64, i64)
declare i32 @posix_memalign(ptr, i64, i64)
declare i32 @__gxx_personality_v0(...)

; CHECK-LABEL: define void @sorts(
; CHECK: call void @qsort
; CHECK-NEXT: call void @__culprit_native_wrote(ptr %p)
; CHECK-NEXT: ret void
define void @sorts(ptr %p, i64 %n) {
  call void @qsort(ptr %p, i64 %n, i64 8, ptr @compare)
  ret void
}
define i32 @compare(ptr %a, ptr %b) {
  ret i32 0
}
; CHECK-LABEL: define void @reads(
; CHECK: call i64 @read
; CHECK-NEXT: call void @__culprit_wrote(ptr %p, i64 %n)
define void @reads(ptr %p, i64 %n) {
  %got = call i64 @read(i32 0, ptr %p, i64 %n)
  ret void
}
; CHECK-LABEL: define void @prints(
; CHECK-NOT: culprit
; CHECK: ret void
define void @prints(ptr %p) {
  %n = call i32 (ptr, ...) @printf(ptr %p, ptr %p)
  %m = call i64 @pure(ptr %p)
  call void @_ZNSt8__detail15_List_node_base7_M_hookEPS0_(ptr %p, ptr %p)
  %f = call i64 @_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4findEPKcmm(ptr %p, ptr %p, i64 0, i64 1)
  ret void
}
; Other names of known functions.
; CHECK-LABEL: define void @scans(
; CHECK: call void @__culprit_native_wrote(ptr %q)
; CHECK: call ptr @__strcpy_chk
; CHECK-NEXT: call void @__culprit_native_wrote(ptr %p)
; CHECK-NEXT: ret void
define void @scans(ptr %p, ptr %q) {
  %n = call i32 (ptr, ptr, ...) @__isoc99_sscanf(ptr %p, ptr %p, ptr %q)
  %r = call ptr @__strcpy_chk(ptr %p, ptr %q, i64 10)
  ret void
}
; What is read only is not written; locals are not on the heap.
; CHECK-LABEL: define void @leaves(
; CHECK: call void @unknown(ptr %p, ptr %q)
; CHECK-NEXT: call void @__culprit_native_keeps(ptr %p)
; CHECK: call void @unknown(ptr %local, ptr %q)
; CHECK-NEXT: ret void
define void @leaves(ptr %p, ptr %q) {
  %local = alloca ptr
  call void @unknown(ptr %p, ptr %q)
  call void @unknown(ptr %local, ptr %q)
  ret void
}
; CHECK-LABEL: define void @must_stay_last(
; CHECK: call void @__culprit_native_keeps(ptr %p)
; CHECK: musttail call void @unknown
; CHECK-NEXT: ret void
define void @must_stay_last(ptr %p, ptr %q) {
  musttail call void @unknown(ptr %p, ptr %q)
  ret void
}
; CHECK-LABEL: define void @appends(
; CHECK: invoke ptr @_ZNSt7__cxx1112basic_string
; CHECK: ok:
; CHECK-NEXT: call void @__culprit_native_wrote(ptr %p)
define void @appends(ptr %p, ptr %q) personality ptr @__gxx_personality_v0 {
  %r = invoke ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm(ptr %p, ptr %q, i64 1) to label %ok unwind label %bad
ok:
  ret void
bad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}
; CHECK-LABEL: define void @aligned(
; CHECK: call i32 @__culprit_posix_memalign(ptr %p
; CHECK-NEXT: call void @__culprit_native_wrote(ptr %p)
define void @aligned(ptr %p) {
  %r = call i32 @posix_memalign(ptr %p, i64 64, i64 64)
  ret void
}
; CHECK-LABEL: define void @assembler(
; CHECK: call void asm
; CHECK-NEXT: call void @__culprit_native_wrote(ptr %p)
define void @assembler(ptr %p) {
  call void asm sideeffect "movq $$0, $0", "=*m"(ptr elementtype(i64) %p)
  ret void
}
