// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang-format off
// The members of heap blocks: by the type a site's block is used as, if size and way of the block fit.
// RUN: clang -g -O1 -S -emit-llvm %s -o %t.ll -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -mllvm -culprit-flavour=access -mllvm -culprit-alone
// RUN: clang -c -x ir %t.ll -o %t.o -Wno-override-module
// RUN: %tables %t.o sites layouts > %t.tables
// RUN: grep '^@culprit.site_layouts' %t.ll | sed 's/.*\[i32/i32/; s/\].*//; s/i32 //g; s/, */\n/g' > %t.numbers
// RUN: grep '^sites' %t.tables | paste -d' ' %t.numbers - > %t.joined
// RUN: grep '^layouts' %t.tables >> %t.joined
// RUN: FileCheck %s < %t.joined
#include <stdlib.h>

struct node { int key; struct node *next; void *data; };
struct text { struct text *next; char bytes[]; };
void use(void *);
__attribute__((noinline)) static void *xmalloc(size_t n) {
  void *p = malloc(n);
  if (!p)
    exit(1);
  return p;
}
static inline void *inlined(size_t n) { return malloc(n); }

// Numbers are positions + 1.
// CHECK-DAG: {{^}}1 sites{{.*}} function=one {{.*}}
void one(void) { struct node *n = malloc(sizeof *n); use(n); }
// CHECK-DAG: {{^}}1 sites{{.*}} function=several {{.*}}
void several(unsigned count) { struct node *n = malloc(count * sizeof *n); use(n); }
// CHECK-DAG: {{^}}1 sites{{.*}} function=cleared {{.*}}
void cleared(size_t count) { struct node *n = calloc(count, sizeof *n); use(n); }
// CHECK-DAG: {{^}}1 sites{{.*}} function=grown {{.*}}
void grown(struct node *old, size_t count) { struct node *n = realloc(old, (count + 1) * sizeof *n); use(n); }
// The wrapper's own site knows nothing. (It is always asked for 24 bytes here, so the optimiser takes its argument out.)
// CHECK-DAG: {{^}}1 sites{{.*}} callee=xmalloc {{.*}}function=wrapped {{.*}}
// CHECK-DAG: {{^}}0 sites{{.*}} callee=malloc {{.*}}function=xmalloc {{.*}}
void wrapped(void) { struct node *n = xmalloc(sizeof *n); use(n); }
__attribute__((noinline)) static void *xcalloc(size_t n, size_t size) { return calloc(n, size); }
// CHECK-DAG: {{^}}1 sites{{.*}} callee=xcalloc {{.*}}function=two_arguments {{.*}}
void two_arguments(size_t n) { struct node *p = xcalloc(n, sizeof *p); use(p); use(xcalloc(n, n)); }
// CHECK-DAG: {{^}}1 sites{{.*}} callee=inlined {{.*}}function=through_inlined {{.*}}
// CHECK-DAG: {{^}}0 sites{{.*}} callee=malloc {{.*}}function=inlined {{.*}}
void through_inlined(void) { struct node *n = inlined(sizeof *n); use(n); }
// No variable holds it, but it is accessed as a node.
// CHECK-DAG: {{^}}1 sites{{.*}} function=accessed {{.*}}
void accessed(void **to) { *to = malloc(24); ((struct node *)*to)->key = 1; ((struct node *)*to)->data = to; }
// No variable holds it and nothing accesses it here, but a global keeps it, or a member.
struct owner { int count; struct { struct node *spare; } inner; struct node **table; };
struct node *kept, *kept_table[4];
// CHECK-DAG: {{^}}1 sites{{.*}} function=into_global {{.*}}
void into_global(size_t n) { kept = realloc(kept, n * sizeof *kept); }
// CHECK-DAG: {{^}}1 sites{{.*}} function=into_element {{.*}}
void into_element(void) { kept_table[2] = malloc(sizeof *kept); }
// CHECK-DAG: {{^}}1 sites{{.*}} function=into_any_element {{.*}}
void into_any_element(unsigned i) { kept_table[i] = malloc(sizeof *kept); }
struct node *kept_grid[4][3];
// CHECK-DAG: {{^}}1 sites{{.*}} function=into_any_of_a_row {{.*}}
void into_any_of_a_row(unsigned i, unsigned k) { kept_grid[i][k] = calloc(1, sizeof *kept); }
// CHECK-DAG: {{^}}1 sites{{.*}} function=into_member {{.*}}
void into_member(struct owner *o) { o->inner.spare = calloc(1, sizeof *kept); }
// A table of pointers is none of structs.
// CHECK-DAG: {{^}}0 sites{{.*}} function=into_table {{.*}}
void into_table(struct owner *o) { o->table = malloc(24); }
// One struct and more behind it.
// CHECK-DAG: {{^}}2 sites{{.*}} function=with_name {{.*}}
void with_name(size_t length) { struct node *n = malloc(sizeof *n + length); use(n); }
// CHECK-DAG: {{^}}3 sites{{.*}} function=flexible {{.*}}
void flexible(size_t length) { struct text *t = malloc(sizeof *t + length); use(t); }

// What cannot be relied on: a size that has nothing to do with the type, or a function that does more than hand out a block.
// CHECK-DAG: {{^}}0 sites{{.*}} function=unknown_size {{.*}}
void unknown_size(size_t n) { struct node *p = malloc(n); use(p); }
// CHECK-DAG: {{^}}0 sites{{.*}} function=bytes {{.*}}
void bytes(size_t n) { char *p = malloc(n * 24); use(p); }
__attribute__((noinline)) struct node *parse(int depth) {
  use(malloc(3));
  struct node *n = xmalloc(sizeof *n);
  n->key = depth;
  return n;
}
// CHECK-DAG: {{^}}0 sites{{.*}} callee=parse {{.*}}function=parses {{.*}}
void parses(void) { struct node *n = parse(24); use(n); }
// The last entry is that of the last site that has a layout.
// CHECK-DAG: {{^}}1 sites{{.*}} function=last {{.*}}
void last(void) { struct node *n = malloc(sizeof *n); use(n); }

// CHECK-DAG: layouts[0] node size=24: key@0 next@8 data@16
// CHECK-DAG: layouts[1] node size=24 rest=4: key@0 next@8 data@16 (behind)@24[]
// CHECK-DAG: layouts[2] text size=8 rest=2: next@0 bytes@8[]
