// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang-format off
// The members of blocks that `new` and the containers allocate.
// RUN: clang++ -g -O1 -S -emit-llvm %s -o %t.ll -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -mllvm -culprit-flavour=access -mllvm -culprit-alone
// RUN: clang++ -c -x ir %t.ll -o %t.o -Wno-override-module
// RUN: %tables %t.o sites layouts > %t.tables
// RUN: grep '^@culprit.site_layouts' %t.ll | sed 's/.*\[i32/i32/; s/\].*//; s/i32 //g; s/, */\n/g' > %t.numbers
// RUN: grep '^sites' %t.tables | paste -d' ' %t.numbers - > %t.joined
// RUN: grep '^layouts' %t.tables >> %t.joined
// RUN: FileCheck %s < %t.joined
#include <cstddef>
#include <map>
#include <vector>

struct Node { int key; Node *next; void *data; };
struct Owner { ~Owner(); Node *first; int count; };
void use(void *);

// CHECK-DAG: {{^}}1 sites{{.*}} callee=_Znwm {{.*}}function=_Z3onev
void one() { use(new Node); }
// CHECK-DAG: {{^}}1 sites{{.*}} callee=_Znam {{.*}}function=_Z7severalm
void several(std::size_t n) { use(new Node[n]); }
// A cookie in front of the elements.
// CHECK-DAG: {{^}}0 sites{{.*}} callee=_Znam {{.*}}function=_Z6cookiev
void cookie() { use(new Owner[5]); }
// The elements' type; the node's of a map.
// CHECK-DAG: {{^}}1 sites{{.*}} callee=_Znwm {{.*}}function=_ZNSt15__new_allocatorI4NodeE8allocateEmPKv
void fill(std::vector<Node> &nodes) { nodes.push_back({}); }
// CHECK-DAG: {{^}}[[#MAP:]] sites{{.*}} callee=_Znwm {{.*}}function=_ZNSt15__new_allocatorISt13_Rb_tree_nodeISt4pairIKi4NodeEEE8allocateEmPKv
// CHECK-DAG: layouts[[[#MAP-1]]] _Rb_tree_node<{{.*}}> size=64: _M_color@0 _M_parent@8 _M_left@16 _M_right@24 _M_storage.first@32 _M_storage.second.key@40 _M_storage.second.next@48 _M_storage.second.data@56
void insert(std::map<int, Node> &nodes) { nodes[7].key = 8; }
// Inlined where something is to be destroyed on the way out, the call becomes an invoke.
struct Guard { Guard(); ~Guard(); };
static inline Node *made() { return new Node; }
// CHECK-DAG: {{^}}1 sites{{.*}} callee=_Znwm {{.*}}function=_ZL4madev
void guarded() { Guard guard; use(made()); }
// CHECK-DAG: {{^}}1 sites{{.*}} function=_Z4lastv
void last() { use(new Node); }

// CHECK-DAG: layouts[0] Node size=24: key@0 next@8 data@16
