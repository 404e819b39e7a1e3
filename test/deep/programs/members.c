// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A register of accounts. The input is a script, a command a line:
//   open NAME AMOUNT       a new account
//   rename OLD NEW         names are up to 15 letters long, says the manual
//   pay NAME AMOUNT
//   list
// Without a file it runs a script of its own. Each account is a block; a name that is too long runs
// over into the balance, which lies behind it in the same block: valid memory for everybody who
// looks at blocks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct account {
  struct account *next;
  char name[16];
  long balance;
  int payments;
  short kind;
};

struct ledger {
  unsigned count;
  struct account **sorted; // allocated anew for every list
  struct account *first;
};

static const char *const kOwnScript[] = {"open ann 3", "open bob 4", "pay ann 5", "rename bob rob",
                                         "list"};

static void *take(size_t size) {
  void *block = malloc(size);
  if (!block)
    abort();
  return block;
}

static struct account *find(struct ledger *ledger, const char *name) {
  struct account *account = ledger->first;
  while (account && strcmp(account->name, name) != 0)
    account = account->next;
  return account;
}

__attribute__((noinline)) static void open_account(struct ledger *ledger, const char *name,
                                                   long amount) {
  struct account *account = take(sizeof *account);
  snprintf(account->name, sizeof account->name, "%s", name);
  account->balance = amount;
  account->payments = 0;
  account->kind = amount > 100;
  account->next = ledger->first;
  ledger->first = account;
  ++ledger->count;
}

// Letter by letter, as this program's authors do.
__attribute__((noinline)) static void rename_account(struct account *account, const char *name) {
  char *to = account->name;
  while ((*to++ = *name++)) // guilty: rename_account does not look at how long the name is
    ;
}

__attribute__((noinline)) static void pay(struct account *account, long amount) {
  account->balance += amount;
  ++account->payments;
  if (account->balance > 100)
    account->kind = 1;
}

__attribute__((noinline)) static void list(struct ledger *ledger) {
  unsigned at = 0;
  ledger->sorted = realloc(ledger->sorted, (ledger->count + 1) * sizeof *ledger->sorted);
  for (struct account *account = ledger->first; account; account = account->next)
    ledger->sorted[at++] = account;
  while (at-- > 0)
    printf("%s %ld %d %d\n", ledger->sorted[at]->name, ledger->sorted[at]->balance,
           ledger->sorted[at]->payments, ledger->sorted[at]->kind);
}

static void execute(struct ledger *ledger, const char *line) {
  char command[16] = "", one[64] = "", other[64] = "";
  if (sscanf(line, "%15s %63s %63s", command, one, other) < 1)
    return;
  struct account *account = find(ledger, one);
  if (strcmp(command, "open") == 0)
    open_account(ledger, one, atol(other));
  else if (strcmp(command, "list") == 0)
    list(ledger);
  else if (account && strcmp(command, "rename") == 0)
    rename_account(account, other);
  else if (account && strcmp(command, "pay") == 0)
    pay(account, atol(other));
}

int main(int count, char **words) {
  struct ledger *ledger = take(sizeof *ledger);
  ledger->count = 0;
  ledger->sorted = NULL;
  ledger->first = NULL;
  if (count < 2) {
    for (size_t i = 0; i < sizeof kOwnScript / sizeof *kOwnScript; ++i)
      execute(ledger, kOwnScript[i]);
    return 0;
  }
  FILE *file = fopen(words[1], "r");
  if (!file)
    return 2;
  char line[256];
  while (fgets(line, sizeof line, file))
    execute(ledger, line);
  fclose(file);
  return 0;
}
