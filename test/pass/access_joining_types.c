// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang-format off
// Members share a check only if some block or global of the program tells the struct's members apart: of memory that has one
// name nothing follows, and each would be checked by itself after all.
// RUN: (clang -g -O2 -S -emit-llvm %s -o - ; echo '!culprit.flavour = !{!9998}' ; echo '!culprit.main = !{!9999}' ; echo '!9998 = !{!"access-reads"}' ; echo '!9999 = !{}') > %t.ll
// RUN: opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S %t.ll | FileCheck %s
// Another unit may meet the blocks of this one.
// RUN: sed '/culprit.main/d' %t.ll | opt -load-pass-plugin=%plugin -passes='culprit-monitor,verify' -S | FileCheck --check-prefix=OTHER %s
#include <stdlib.h>

struct allocated { struct allocated *next; long pad; int number; int gain; };
struct inside { long pad, a; double b; };
struct named { long tag; struct inside inner; long end; };
struct carved { struct carved *next; long pad; int number; int gain; };
struct local { struct local *next; long pad; int number; int gain; };
struct trailing { struct trailing *next; long pad, length; int gain; char text[]; };

struct allocated *make(void) {
  struct allocated *made = malloc(sizeof(struct allocated));
  return made;
}
struct trailing *make_trailing(int length) {
  struct trailing *made = malloc(sizeof(struct trailing) + length);
  return made;
}
struct named global;

// CHECK-LABEL: define {{.*}} @of_a_block(
// CHECK: call {{.*}}@__culprit_join(
// CHECK: ret
int of_a_block(struct allocated *n) { return n->gain + (n->next != 0); }

// CHECK-LABEL: define {{.*}} @within_a_global(
// CHECK: call {{.*}}@__culprit_join(
// CHECK: ret
double within_a_global(struct inside *i) { return i->pad + i->b; }

// What mostly lies in one granule needs no type.
// CHECK-LABEL: define {{.*}} @near_each_other(
// CHECK: call {{.*}}@__culprit_join(
// CHECK: ret
int near_each_other(struct carved *n) { return n->number + n->gain; }

// CHECK-LABEL: define {{.*}} @bytes(
// CHECK: call {{.*}}@__culprit_join(
// CHECK: ret
int bytes(unsigned char *p) { return p[0] << 8 | p[3]; }

// CHECK-LABEL: define {{.*}} @words(
// CHECK-NOT: __culprit_join
// CHECK: ret
long words(long *p) { return p[0] + p[1]; }

// CHECK-LABEL: define {{.*}} @of_a_custom_allocator(
// CHECK: call {{.*}}@__culprit_access(
// CHECK: call {{.*}}@__culprit_access(
// CHECK-NOT: __culprit_join
// CHECK: ret
// OTHER-LABEL: define {{.*}} @of_a_custom_allocator(
// OTHER: call {{.*}}@__culprit_join(
int of_a_custom_allocator(struct carved *n) { return n->gain + (n->next != 0); }

// What is known of locals alone says nothing of the blocks that pointers mostly lead to.
// CHECK-LABEL: define {{.*}} @of_a_local(
// CHECK-NOT: __culprit_join
// CHECK: ret
int of_a_local(struct local *n) { return n->gain + (n->next != 0); }
void unseen(struct local *);
void with_a_local(void) {
  struct local here = {0};
  unseen(&here);
}

// CHECK-LABEL: define {{.*}} @of_one_with_an_open_end(
// CHECK-NOT: __culprit_join
// CHECK: ret
int of_one_with_an_open_end(struct trailing *n) { return n->gain + (n->next != 0); }
