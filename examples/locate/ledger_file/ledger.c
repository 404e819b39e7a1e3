// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes payments to a ledger, the name of the payer first. The name runs over the pointer to the
// open file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
  char name[16];
  FILE *ledger;
} book;

static void pay(const char *name, long amount) {
  strcpy(book.name, name); // culprit: first corruption
  fprintf(book.ledger, "%s paid %ld\n", name, amount);
}

int main(int argc, char **argv) {
  book.ledger = stdout;
  for (int i = 1; i < argc; ++i)
    pay(argv[i], 10L * i);
  printf("%d payments\n", argc - 1);
  return 0;
}
