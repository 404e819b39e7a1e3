// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lays out a table: the first line of the input has the widths of the columns, each further line a
// row of words. The widths are kept in a fixed table, the layout beside it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kColumns = 8, kLine = 512 };

struct layout {
  int gap;
  int columns;
};

int widths[kColumns] = {0};
struct layout *layout = NULL;
unsigned long rows = 0;

static void read_widths(char *line) {
  int column = 0;
  for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n"))
    widths[column++] = atoi(word); // culprit: first corruption
  layout->columns = column;
}

static int width_of(int column) { return column < layout->columns ? widths[column] : layout->gap; }

static void print_row(char *line) {
  int column = 0;
  for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n"))
    printf("%-*s", width_of(column++) + layout->gap, word);
  putchar('\n');
  ++rows;
}

int main(void) {
  char line[kLine];
  layout = malloc(sizeof *layout);
  layout->gap = 1;
  layout->columns = 0;
  if (!fgets(line, sizeof line, stdin))
    return 2;
  read_widths(line);
  while (fgets(line, sizeof line, stdin))
    print_row(line);
  printf("%lu rows of %d columns\n", rows, layout->columns);
  free(layout);
  return 0;
}
