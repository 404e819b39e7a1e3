// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang-format off
// Two members of a struct that are accessed together have one check, and a way to be checked apart.
// RUN: clang -g -O2 -S -emit-llvm %s -o - -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -mllvm -culprit-flavour=access-reads -mllvm -culprit-alone | FileCheck %s
// RUN: clang -g -O2 -S -emit-llvm %s -o - -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -mllvm -culprit-flavour=access-reads-count -mllvm -culprit-alone | FileCheck --check-prefix=COUNTS %s
#include <stdlib.h>

// COUNTS-NOT: __culprit_join
struct node { struct node *next; long pad; int number; int gain; };
void unseen(void);

// One look at a row on the way that is mostly taken, three behind it.
// CHECK-LABEL: define {{.*}} @members(
// CHECK: load i32, ptr addrspace(256) {{.*}}!nosanitize
// CHECK: br i1
// CHECK: call preserve_allcc void @__culprit_access(
// CHECK: call preserve_allcc void @__culprit_access(
// CHECK: call preserve_allcc void @__culprit_join(ptr {{.*}}, ptr @culprit.joined{{.*}}, i32 {{.*}})
// CHECK-NOT: __culprit_access
// CHECK: ret
int members(struct node *n) { return n->gain + (n->next != 0); }

// The second is read by another type, but through the same pointer, inside the struct.
// CHECK-LABEL: define {{.*}} @walk(
// CHECK: call preserve_allcc void @__culprit_join(
// CHECK: ret
int walk(struct node **at, int best) {
  for (; *at; at = &(*at)->next)
    if ((*at)->gain > best)
      best = (*at)->gain;
  return best;
}

// CHECK-LABEL: define {{.*}} @elements(
// CHECK-NOT: __culprit_join
// CHECK: ret
long elements(long *p) { return p[0] + p[3]; }

// CHECK-LABEL: define {{.*}} @perhaps(
// CHECK-NOT: __culprit_join
// CHECK: ret
int perhaps(struct node *n) { return n->gain > 3 ? n->next != 0 : 7; }

// CHECK-LABEL: define {{.*}} @freed_between(
// CHECK-NOT: __culprit_join
// CHECK: ret
int freed_between(struct node *n, void *other) {
  int gain = n->gain;
  free(other);
  return gain + (n->next != 0);
}

// CHECK-LABEL: define {{.*}} @may_not_come_back(
// CHECK-NOT: __culprit_join
// CHECK: ret
int may_not_come_back(struct node *n) {
  int gain = n->gain;
  unseen();
  return gain + (n->next != 0);
}

// Three that do not lie in one block, where the ends would do: still one look.
// CHECK-LABEL: define {{.*}} @three(
// CHECK: load i32, ptr addrspace(256) {{.*}}!nosanitize
// CHECK: br i1
// CHECK: call preserve_allcc void @__culprit_access(
// CHECK: call preserve_allcc void @__culprit_access(
// CHECK: call preserve_allcc void @__culprit_access(
// CHECK: call preserve_allcc void @__culprit_join(ptr {{.*}}, ptr @culprit.joined{{.*}}, i32 {{.*}})
// CHECK-NOT: __culprit_access
// CHECK: ret
extern volatile int ready;
int three(struct node *n) {
  int sum = n->number;
  while (!ready)
    continue;
  sum += n->gain;
  while (ready)
    continue;
  return sum + (n->next != 0);
}

// Copied by value, whose members have lost their types and alignment: the variable's type says what the pointer is.
// CHECK-LABEL: define {{.*}} @by_value(
// CHECK-NOT: and i64 {{.*}}, 7
// CHECK: call preserve_allcc void @__culprit_join(
// CHECK: ret
struct vector { double x, y, z; };
struct body { struct vector place, speed; };
static double square(struct vector v) { return v.x * v.x + v.y * v.y + v.z * v.z; }
double by_value(const struct body *b) { return square(b->place); }
