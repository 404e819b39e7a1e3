// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang-format off
// Definitions and places as the source names them, whichever way the debug information says where variables are.
// RUN: clang -g -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: sed -i '$a !culprit.flavour = !{!99999}' %t.ll
// RUN: sed -i '$a !99999 = !{!"trace"}' %t.ll
// RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' %t.ll -o %t.bc
// RUN: clang -c -x ir %t.bc -o %t.o -Wno-override-module
// RUN: %tables %t.o definitions places | FileCheck %s
// RUN: opt -load-pass-plugin=%plugin -passes='module(function(declare-to-assign),culprit-locate,verify)' %t.ll -o %t.bc
// RUN: clang -c -x ir %t.bc -o %t.o -Wno-override-module
// RUN: %tables %t.o definitions places | FileCheck %s
// The other flavour numbers alike.
// RUN: %tables %t.o definitions places > %t.trace
// RUN: sed -i 's/!"trace"/!"suppress"/' %t.ll
// RUN: opt -load-pass-plugin=%plugin -passes='culprit-locate,verify' %t.ll -o %t.bc
// RUN: clang -c -x ir %t.bc -o %t.o -Wno-override-module
// RUN: %tables %t.o definitions places | cmp - %t.trace
void *malloc(unsigned long);
void free(void *);
void *memset(void *, int, unsigned long);
struct node {
  int key;
  struct { int x, y; } at;
  struct node *next;
  char name[16];
};
int table[10];
static struct node *head;
static struct node nodes[4];
// CHECK: definitions[1] global [[#@LINE-3]]:0 {{ *}}variable=table
// CHECK: definitions[3] global [[#@LINE-3]]:0 {{ *}}variable=head
void work(struct node *list, int count) {
// CHECK-DAG: definitions[[[#]]] variable [[#@LINE+1]]:0 work variable=i
  for (int i = 0; i < count; i++) {
// CHECK-DAG: definitions[[[#]]] store [[#@LINE+1]]:{{[0-9]+}} work variable=table[] from=i
    table[i] = i * 2;
// CHECK-DAG: definitions[[[#]]] store [[#@LINE+2]]:{{[0-9]+}} work variable=list->at.y from=count
// CHECK-DAG: places[[[#]]] store [[#@LINE+1]]:{{[0-9]+}} work size=4 from=list:base
    list->at.y = count + 1;
// CHECK-DAG: definitions[[[#]]] store [[#@LINE+2]]:{{[0-9]+}} work variable=list->next->name[]
// CHECK-DAG: places[[[#]]] store [[#@LINE+1]]:{{[0-9]+}} work size=1 from=list->next:base,i:index
    list->next->name[i] = 'x';
// CHECK-DAG: definitions[[[#]]] store [[#@LINE+1]]:{{[0-9]+}} work variable=nodes[].at.y from=i
    nodes[i].at.y = i + 1;
// CHECK-DAG: definitions[[[#]]] library [[#@LINE+1]]:{{[0-9]+}} work callee=memset variable=nodes[].name
    memset(nodes[i].name, i, count);
  }
// CHECK-DAG: definitions[[[#]]] allocation [[#@LINE+1]]:{{[0-9]+}} work callee=malloc
  head = malloc(sizeof *head);
// CHECK-DAG: definitions[[[#]]] library [[#@LINE+1]]:{{[0-9]+}} work callee=memset variable=*head
  memset(head, 0, 40);
// CHECK-DAG: definitions[[[#]]] free [[#@LINE+2]]:{{[0-9]+}} work callee=free variable=list->next
// CHECK-DAG: places[[[#]]] free [[#@LINE+1]]:{{[0-9]+}} work callee=free size=0 from=list->next:pointer
  free(list->next);
}
// What a value is made from is what was there, though its address is computed twice.
void go_on(struct node *list, struct node *other) {
// CHECK-DAG: definitions[[[#]]] store [[#@LINE+1]]:{{[0-9]+}} go_on variable=list->next->key from=list->next->key update
  list->next->key = list->next->key + 1;
// CHECK-DAG: definitions[[[#]]] store [[#@LINE+1]]:{{[0-9]+}} go_on variable=list->key from=other->key{{$}}
  list->key = other->key + 1;
// CHECK-DAG: definitions[[[#]]] store [[#@LINE+1]]:{{[0-9]+}} go_on variable=list->at.x from=list->at.y{{$}}
  list->at.x = list->at.y + 1;
}
