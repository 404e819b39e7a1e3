// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang-format off
// Two branches end with equal stores to different objects. The optimiser likes to make one store of them, through a pointer that
// depends on the branch; in a flavour each stays an access site of its own. Otherwise the first run that has an error would
// seem to write the counter from the line that changes the limit.
// RUN: rm -rf %t && mkdir %t && cd %t && culprit cc -O2 %s -o prog
// RUN: for n in $(seq 20 44); do seq 1 $n > $n; echo "< $n"; done > good
// RUN: culprit train -q --only access -m prog.model --cases good -- ./prog
// RUN: (seq 1 30; echo 0) | culprit check -q --only access -m prog.model -- ./prog | FileCheck --allow-empty %s
// CHECK-NOT: anomaly
#include <stdio.h>
#include <stdlib.h>

struct form {
  struct form *next;
  int limit;
  int edits;
};

static struct form *forms;
static int errors;

static struct form *find(int number) {
  struct form *form = forms;
  while (form && number-- > 1)
    form = form->next;
  return number == 0 ? form : NULL;
}

static void mark(int number, int limit) {
  struct form *form = find(number);
  if (!form) {
    errors++;
    return;
  }
  form->limit = limit;
  form->edits++;
}

int main(void) {
  char line[64];
  while (fgets(line, sizeof line, stdin)) {
    struct form *form = calloc(1, sizeof *form);
    form->next = forms;
    forms = form;
    mark(atoi(line) != 0, atoi(line));
  }
  for (struct form *form = forms; form; form = form->next)
    printf("%d %d\n", form->limit, form->edits);
  printf("%d errors\n", errors);
  return 0;
}
