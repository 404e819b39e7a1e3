// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lookup gives a struct back: what it is when nothing was found is written down where it is
// declared, and the pointer in it is used unasked.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct account {
  int id;
  long cents;
  char owner[24];
};

struct result {
  int code;
  struct account *account;
};

static struct account *accounts[64];
static int account_count;

static struct result find(int id) {
  struct result found = {404, NULL}; // culprit: first corruption
  for (int i = 0; i < account_count; i++)
    if (accounts[i]->id == id) {
      found.code = 0;
      found.account = accounts[i];
    }
  return found;
}

static void deposit(struct result to, long cents) {
  if (cents > 0)
    to.account->cents += cents;
}

static void open_account(int id, const char *owner) {
  struct account *account = malloc(sizeof *account);
  account->id = id;
  account->cents = 0;
  strncpy(account->owner, owner, sizeof account->owner - 1);
  account->owner[sizeof account->owner - 1] = 0;
  accounts[account_count++] = account;
}

int main(void) {
  open_account(1, "ann");
  open_account(2, "bob");
  open_account(3, "cid");
  char line[80];
  while (fgets(line, sizeof line, stdin)) {
    char word[20];
    int id;
    long amount = 0;
    if (sscanf(line, "%19s %d %ld", word, &id, &amount) < 2)
      continue;
    if (!strcmp(word, "deposit"))
      deposit(find(id), amount);
    else if (!strcmp(word, "share")) {
      deposit(find(id), amount / 2);
      deposit(find(id + 1), amount / 2);
    }
  }
  for (int i = 0; i < account_count; i++)
    printf("%d %s %ld\n", accounts[i]->id, accounts[i]->owner, accounts[i]->cents);
  return 0;
}
