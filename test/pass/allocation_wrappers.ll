; A function that hands out a block through a parameter (*result = block) is a wrapper as much as one
; that returns it: its calls are marked, and the block is named after whoever asked for it.
; RUN: opt -load-pass-plugin=%plugin -load=%plugin -passes='culprit-prepare' -culprit-flavour=monitor -S %s | FileCheck %s
; CHECK: !culprit.wrappers = !{![[GIVE:[0-9]+]], ![[TAKE:[0-9]+]], ![[COUNTED:[0-9]+]]}
; CHECK-DAG: ![[GIVE]] = !{!"give", !"malloc"}
; CHECK-DAG: ![[TAKE]] = !{!"take", !"give"}
; CHECK-DAG: ![[COUNTED]] = !{!"counted", !"malloc"}
declare ptr @malloc(i64)
declare i64 @size_of(ptr)
declare i32 @prepare(ptr)
@used = global i64 0

define void @give(i64 %size, ptr %result) {
  %local = alloca ptr
  store ptr %result, ptr %local
  %block = call ptr @malloc(i64 %size)
  %where = load ptr, ptr %local
  store ptr %block, ptr %where
  ret void
}

define ptr @take(i64 %size) {
  %local = alloca ptr
  call void @give(i64 %size, ptr %local)
  %block = load ptr, ptr %local
  ret ptr %block
}

; Fills it in: the block is its own.
define ptr @make(i64 %size) {
  %local = alloca ptr
  call void @give(i64 %size, ptr %local)
  %block = load ptr, ptr %local
  store i64 1, ptr %block
  ret ptr %block
}

; A member of the caller's object: what is allocated for it is that object's.
define void @open(ptr %object) {
  %member = getelementptr inbounds { ptr, i64 }, ptr %object, i32 0, i32 1
  %block = call ptr @malloc(i64 8)
  store ptr %block, ptr %member
  ret void
}

; Asks how large the block is.
define ptr @counted(i64 %size) {
  %block = call ptr @malloc(i64 %size)
  %real = call i64 @size_of(ptr %block)
  %before = load i64, ptr @used
  %after = add i64 %before, %real
  store i64 %after, ptr @used
  ret ptr %block
}

; Has it filled, and asks whether that went well.
define ptr @prepared(i64 %size) {
  %block = call ptr @malloc(i64 %size)
  %answer = call i32 @prepare(ptr %block)
  %bad = icmp ne i32 %answer, 0
  br i1 %bad, label %none, label %done
done:
  ret ptr %block
none:
  ret ptr null
}
