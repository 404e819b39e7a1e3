// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang-format off
// A block that is written after it was freed, while the place is still nobody's: the place in the source writes such blocks in
// every run, but never a freed one. The report says whose it was.
// RUN: rm -rf %t && mkdir %t && cd %t && culprit cc -O2 %s -o prog
// RUN: seq 20 44 > good
// RUN: culprit train -q --only access -m prog.model --cases good -- ./prog
// RUN: culprit check -q --only access -m prog.model -- ./prog 64
// RUN: culprit check --only access -m prog.model --json out.json -- ./prog 30 stale > out; test $? -eq 1 && FileCheck %s < out
// RUN: FileCheck --check-prefix=JSON %s < out.json
#include <stdio.h>
#include <stdlib.h>

struct account {
  long balance;
  long moves;
};

// CHECK: access anomaly: pay writes a freed block of account allocated at freed_block.c:{{[0-9]+}} in open_account, member 'balance'
// CHECK: object: member 'balance' of a freed block (account), allocated at {{.*}} (open_account
// CHECK: a dangling pointer: this block was freed, and is nobody's since
// CHECK: in training this place wrote only account
// JSON: "kind": "dangling",
// JSON: "object": {
// JSON-NEXT: "kind": "freed",
__attribute__((noinline)) static void pay(struct account *account, long sum) { account->balance += sum; }

__attribute__((noinline)) static struct account *open_account(void) {
  struct account *account = malloc(sizeof *account);
  account->balance = 0;
  account->moves = 0;
  return account;
}

int main(int argc, char **argv) {
  const int count = atoi(argv[1]);
  struct account *last = NULL;
  for (int i = 0; i < count; ++i) {
    struct account *account = open_account();
    pay(account, i);
    printf("%ld\n", account->balance);
    if (i + 1 < count)
      free(account);
    last = account;
  }
  free(last);
  if (argc > 2)
    pay(last, 1);
  return 0;
}
