// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices by name: "let NAME ROWS COLUMNS values", "mul NAME A B", "sum NAME". Whoever wrote it
// had square ones in mind when it came to how many cells there are.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct matrix {
  char name;
  int rows, columns;
  double *cells;
  struct matrix *next;
};

static struct matrix *all;

static struct matrix *find(char name) {
  for (struct matrix *one = all; one; one = one->next)
    if (one->name == name)
      return one;
  return NULL;
}

static struct matrix *make(char name, int rows, int columns) {
  struct matrix *one = find(name);
  if (one) {
    free(one->cells);
  } else {
    one = calloc(1, sizeof *one);
    if (!one)
      exit(2);
    one->next = all;
    one->name = name;
    all = one;
  }
  one->rows = rows;
  one->columns = columns;
  one->cells = malloc((size_t)rows * (size_t)rows * sizeof(double)); // culprit: the error
  if (!one->cells)
    exit(2);
  return one;
}

static void set(struct matrix *one, int row, int column, double value) {
  one->cells[row * one->columns + column] = value; // culprit: first corruption
}

static double get(const struct matrix *one, int row, int column) {
  return one->cells[row * one->columns + column];
}

static void multiply(char name, const struct matrix *a, const struct matrix *b) {
  struct matrix *result = make(name, a->rows, b->columns);
  for (int row = 0; row < a->rows; ++row)
    for (int column = 0; column < b->columns; ++column) {
      double sum = 0;
      for (int k = 0; k < a->columns; ++k)
        sum += get(a, row, k) * get(b, k, column);
      set(result, row, column, sum);
    }
}

static void print_sum(const struct matrix *one) {
  double sum = 0;
  for (int row = 0; row < one->rows; ++row)
    for (int column = 0; column < one->columns; ++column)
      sum += get(one, row, column);
  printf("%g\n", sum);
}

static void read_cells(struct matrix *one) {
  double value;
  for (int row = 0; row < one->rows; ++row)
    for (int column = 0; column < one->columns && scanf("%lf", &value) == 1; ++column)
      set(one, row, column, value);
}

int main(void) {
  char word[16], name, a, b;
  int rows, columns;
  while (scanf("%15s %c", word, &name) == 2) {
    if (strcmp(word, "let") == 0 && scanf("%d %d", &rows, &columns) == 2)
      read_cells(make(name, rows, columns));
    else if (strcmp(word, "mul") == 0 && scanf(" %c %c", &a, &b) == 2 && find(a) && find(b))
      multiply(name, find(a), find(b));
    else if (strcmp(word, "sum") == 0 && find(name))
      print_sum(find(name));
  }
  while (all) {
    struct matrix *one = all;
    all = one->next;
    free(one->cells);
    free(one);
  }
  return 0;
}
