; Allocation functions become hooks, and every call that may lead to one is preceded by its context.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S %s | FileCheck %s
!culprit.flavour = !{!0}
!0 = !{!"monitor"}
declare noalias ptr @malloc(i64)
declare ptr @_Znwm(i64)
declare i64 @strlen(ptr)
declare i32 @__gxx_personality_v0(...)
declare void @elsewhere()

; CHECK-DAG: @__culprit_context = external thread_local(initialexec) global i64
; CHECK-DAG: @culprit.unit = internal global { i64, i32, i32 } { i64 {{-?[0-9]+}}, i32 9, i32 0 }, align 8
; CHECK-DAG: @__culprit_is_monitor = weak constant i8 1
; CHECK-DAG: @culprit.frame = private constant {{.*}}, section ".llvmcmd"
; CHECK-DAG: @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 0, ptr @culprit.register, ptr null }]
; The address of an allocation function stays what it is.
; CHECK-DAG: @table = global ptr @malloc
@table = global ptr @malloc

; CHECK-LABEL: define ptr @allocates(
; CHECK: %[[OWN:.*]] = load i64, ptr %{{.*}},{{.*}} !nosanitize
; CHECK: %[[SHIFTED:.*]] = shl i64 %[[OWN]], 16
; CHECK: load i16, ptr getelementptr inbounds ({ i64, i32, i32 }, ptr @culprit.unit, i32 0, i32 2)
; CHECK: %[[NEW:.*]] = or i64 %[[SHIFTED]], %
; CHECK: store i64 %[[NEW]], ptr
; CHECK-NEXT: call ptr @__culprit_malloc(i64 %n)
define ptr @allocates(i64 %n) {
  %p = call ptr @malloc(i64 %n)
  ret ptr %p
}
; CHECK-LABEL: define ptr @calls_one_that_does(
; CHECK: store i64 %{{.*}}, ptr
; CHECK-NEXT: call ptr @allocates
define ptr @calls_one_that_does(i64 %n) {
  %p = call ptr @allocates(i64 %n)
  ret ptr %p
}
; CHECK-LABEL: define void @may_by_pointer(
; CHECK: store i64 %{{.*}}, ptr
; CHECK-NEXT: call void %f()
define void @may_by_pointer(ptr %f) {
  call void %f()
  ret void
}
; A function of another unit may.
; CHECK-LABEL: define void @may_elsewhere(
; CHECK: store i64 %{{.*}}, ptr
; CHECK-NEXT: call void @elsewhere()
define void @may_elsewhere() {
  call void @elsewhere()
  ret void
}
; CHECK-LABEL: define i64 @cannot(
; CHECK-NOT: culprit
; CHECK: ret i64
define i64 @cannot(ptr %s) {
  %n = call i64 @strlen(ptr %s)
  ret i64 %n
}
; The own context is read once, before the loop, and only on the path that needs it.
; CHECK-LABEL: define void @in_a_loop(
; CHECK: entry:
; CHECK-NOT: culprit
; CHECK: ahead:
; CHECK-NEXT: call ptr @llvm.threadlocal.address.p0(ptr @__culprit_context)
; CHECK: loop:
; CHECK-NOT: load i64
; CHECK: call ptr @__culprit_malloc
; CHECK: exit:
define void @in_a_loop(i64 %n) {
entry:
  %none = icmp eq i64 %n, 0
  br i1 %none, label %exit, label %ahead
ahead:
  br label %loop
loop:
  %i = phi i64 [ 0, %ahead ], [ %next, %loop ]
  %p = call ptr @malloc(i64 %i)
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
; CHECK-LABEL: define ptr @invokes(
; CHECK: store i64 %{{.*}}, ptr
; CHECK-NEXT: invoke ptr @__culprit_new_exact(i64 8)
define ptr @invokes() personality ptr @__gxx_personality_v0 {
  %p = invoke ptr @_Znwm(i64 8) to label %ok unwind label %bad
ok:
  ret ptr %p
bad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}
; The buffer of a string is made by its caller's context; what only asks needs none.
; CHECK-LABEL: define void @makes_string(
; CHECK-NOT: store
; CHECK: call i32 @_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7compareEPKc(
; CHECK: store i64 %{{.*}}, ptr
; CHECK-NEXT: call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(
; CHECK: store i64 %{{.*}}, ptr
; CHECK-NEXT: call void @_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6substrEmm(
define void @makes_string(ptr %s, ptr %n) {
  %c = call i32 @_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7compareEPKc(ptr %s, ptr %n)
  %p = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(ptr %s, ptr %n, i64 0)
  call void @_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6substrEmm(ptr sret(i64) %n, ptr %s, i64 0, i64 1)
  ret void
}
declare void @_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6substrEmm(ptr sret(i64), ptr, i64, i64)
declare i32 @_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7compareEPKc(ptr, ptr)
declare ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(ptr, ptr, i64)
; CHECK-LABEL: define void @calls_invoker(
; CHECK: store i64 %{{.*}}, ptr
define void @calls_invoker() {
  %p = call ptr @invokes()
  ret void
}
; CHECK: define internal void @culprit.register()
; CHECK: call void @__culprit_register_unit(ptr @culprit.unit)
