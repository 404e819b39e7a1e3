// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang-format off
// One struct that does not end in an array is not enlarged, in any monitor flavour alike.
// RUN: clang++ -g -O1 -S -emit-llvm %s -o - -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -mllvm -culprit-flavour=access -mllvm -culprit-alone | FileCheck %s
// RUN: clang++ -g -O1 -S -emit-llvm %s -o - -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -mllvm -culprit-flavour=blame -mllvm -culprit-alone | FileCheck %s
#include <stdlib.h>

struct node { struct node *next; char name[16]; long key; };
struct label { struct label *next; char text[24]; };
struct inner { long one, two; };
struct pair { struct inner a, b; };
struct mixed { long tag[2]; union { long number; char bytes[16]; } value; };
struct derived : inner { long three, four; };
struct ends_in_base_array { char bytes[32]; };
struct derived_from_array : ends_in_base_array {};
extern "C" {
void use(void *);
static inline void *wrapped(size_t n) { return malloc(n); }

// CHECK-LABEL: @in_the_middle(
// CHECK: @__culprit_malloc_lone(i64 noundef 32)
void in_the_middle() { node *n = (node *)malloc(sizeof *n); use(n); }
// CHECK-LABEL: @zeroed(
// CHECK: @__culprit_calloc_lone(i64 noundef 1, i64 noundef 32)
void zeroed() { node *n = (node *)calloc(1, sizeof *n); use(n); }
// CHECK-LABEL: @by_wrapper(
// CHECK: @__culprit_malloc_lone(i64 noundef 32)
void by_wrapper() { node *n = (node *)wrapped(sizeof *n); use(n); }
// CHECK-LABEL: @by_new(
// CHECK: @__culprit_new_lone(i64 noundef 32)
void by_new() { derived *d = new derived; use(d); }
// CHECK-LABEL: @nested(
// CHECK: @__culprit_malloc_lone(i64 noundef 32)
void nested() { pair *p = (pair *)malloc(sizeof *p); use(p); }
// CHECK-LABEL: @by_its_accesses(
// CHECK: @__culprit_malloc_lone(i64 noundef 32)
void by_its_accesses(node **all) { all[1] = (node *)malloc(sizeof(node)); all[1]->key = 7; }
// CHECK-LABEL: @at_the_end(
// CHECK: @__culprit_malloc_exact(i64 noundef 32)
void at_the_end() { label *l = (label *)malloc(sizeof *l); use(l); }
// CHECK-LABEL: @in_a_base(
// CHECK: @__culprit_new_exact(i64 noundef 32)
void in_a_base() { derived_from_array *d = new derived_from_array; use(d); }
// CHECK-LABEL: @perhaps_at_the_end(
// CHECK: @__culprit_malloc_exact(i64 noundef 32)
void perhaps_at_the_end() { mixed *m = (mixed *)malloc(sizeof *m); use(m); }
// CHECK-LABEL: @two(
// CHECK: @__culprit_malloc_exact(i64 noundef 64)
void two() { node *n = (node *)malloc(2 * sizeof *n); use(n); }
// CHECK-LABEL: @too_small(
// CHECK: @__culprit_malloc_exact(i64 noundef 16)
void too_small() { node *n = (node *)malloc(sizeof(struct inner)); use(n); }
// CHECK-LABEL: @text(
// CHECK: @__culprit_malloc_exact(i64 noundef 32)
void text() { char *t = (char *)malloc(32); use(t); }
}
