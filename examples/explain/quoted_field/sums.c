// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums the third column of a table of comma-separated fields. A quote in a quoted field is written
// twice; it ends the quotation all the same, so the next comma is taken for the end of the field.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
  char *field[16];
  int count;
  struct row *next;
};

static struct row *split(char *line) {
  struct row *row = calloc(1, sizeof *row);
  char *out = malloc(strlen(line) + 1);
  int quoted = 0;
  row->field[row->count] = out;
  for (char *c = line; *c; ++c) {
    if (*c == '"') {
      if (quoted && c[1] == '"')
        *out++ = *c++;
      quoted = !quoted; // culprit: cause quoted
    } else if (*c == ',' && !quoted) {
      *out++ = 0;
      row->field[++row->count] = out;
    } else {
      *out++ = *c;
    }
  }
  *out = 0;
  ++row->count;
  return row;
}

int main(void) {
  char *line = NULL;
  size_t room = 0;
  struct row *first = NULL, **last = &first;
  while (getline(&line, &room, stdin) > 0) {
    line[strcspn(line, "\n")] = 0;
    *last = split(line);
    last = &(*last)->next;
  }
  double total = 0;
  for (struct row *row = first; row; row = row->next)
    total += atof(row->field[2]); // culprit: failure
  printf("total %.2f\n", total);
  return 0;
}
