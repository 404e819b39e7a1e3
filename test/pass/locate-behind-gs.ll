; Cells and stains are addressed by gs. Where the address itself is used, it stays one.
; RUN: opt -load-pass-plugin=%plugin -passes='culprit-behind-gs,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare void @take(ptr)

; CHECK-LABEL: define i64 @cells(
; CHECK: %[[LOW:.*]] = inttoptr i64 %offset to ptr addrspace(256)
; CHECK: load i64, ptr addrspace(256) %[[LOW]]
; CHECK: %[[SUM:.*]] = add i64 %offset, 8
; CHECK: %[[HIGH:.*]] = inttoptr i64 %[[SUM]] to ptr addrspace(256)
; CHECK: store i64 %a, ptr addrspace(256) %[[HIGH]]
define i64 @cells(i64 %offset) section "culprit_text" {
  %sum = add i64 %offset, 52776558133248
  %cell = inttoptr i64 %sum to ptr
  %a = load i64, ptr %cell
  %high = getelementptr i8, ptr %cell, i64 8
  store i64 %a, ptr %high
  ret i64 %a
}

; CHECK-LABEL: define i8 @stain(
; CHECK: %[[SUM:.*]] = add i64 %number, -4198400
; CHECK: %[[AT:.*]] = inttoptr i64 %[[SUM]] to ptr addrspace(256)
; CHECK: load i8, ptr addrspace(256) %[[AT]]
define i8 @stain(i64 %number) section "culprit_text" {
  %sum = add i64 %number, 52776553934848
  %at = inttoptr i64 %sum to ptr
  %stain = load i8, ptr %at
  ret i8 %stain
}

; CHECK-LABEL: define i64 @address(
; CHECK-NOT: addrspace(256)
; CHECK: ret
define i64 @address(i64 %offset) section "culprit_text" {
  %sum = add i64 %offset, 52776558133248
  %cell = inttoptr i64 %sum to ptr
  call void @take(ptr %cell)
  %a = load i64, ptr %cell
  ret i64 %a
}

; CHECK-LABEL: define void @stored(
; CHECK-NOT: addrspace(256)
; CHECK: ret
define void @stored(i64 %offset) section "culprit_text" {
  %sum = add i64 %offset, 52776558133248
  %cell = inttoptr i64 %sum to ptr
  store ptr %cell, ptr %cell
  ret void
}

; The program's own numbers.
; CHECK-LABEL: define i64 @elsewhere(
; CHECK-NOT: addrspace(256)
; CHECK: ret
define i64 @elsewhere(i64 %offset) section "culprit_text" {
  %sum = add i64 %offset, 48378511622144
  %cell = inttoptr i64 %sum to ptr
  %a = load i64, ptr %cell
  ret i64 %a
}
