// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A spreadsheet of many small tables. The columns of a table form a circular list, so that a cursor
// can go round; a table knows the first and the last one. The input is a script, one command a
// line:
//   table NAME             a new table
//   column TABLE NAME N    a new last column with N cells
//   drop TABLE NAME        remove a column
//   shift TABLE            remove the first column (what a sliding window does)
//   rotate TABLE           the first column becomes the last
//   fill TABLE VALUE       write into every column
//   delete TABLE           remove all of it
// Prints a summary at the end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kBuckets = 509 };

struct column {
  struct column *next; // the last one's next is the first
  char *name;
  long *cells;
  unsigned cell_count;
};

struct table {
  struct table *chain;
  char *name;
  struct column *first;
  struct column *last;
  unsigned columns;
};

static struct table *tables[kBuckets];
static unsigned table_count, column_count;

static struct table **find(const char *name) {
  unsigned hash = 5381;
  for (const char *c = name; *c; ++c)
    hash = hash * 33 ^ (unsigned char)*c;
  struct table **slot = &tables[hash % kBuckets];
  while (*slot && strcmp((*slot)->name, name) != 0)
    slot = &(*slot)->chain;
  return slot;
}

static void free_column(struct column *column) {
  free(column->cells);
  free(column->name);
  free(column);
  --column_count;
}

static void add_column(struct table *table, const char *name, unsigned cells) {
  struct column *column = calloc(1, sizeof *column);
  column->name = strdup(name);
  column->cells = calloc(cells, sizeof(long));
  column->cell_count = cells;
  if (table->last) {
    column->next = table->last->next;
    table->last->next = column;
  } else {
    column->next = column;
    table->first = column;
  }
  table->last = column;
  ++table->columns;
  ++column_count;
}

static void drop_column(struct table *table, const char *name) {
  struct column *before = table->last;
  struct column *column = table->first;
  for (unsigned i = 0; i < table->columns; ++i, before = column, column = column->next) {
    if (strcmp(column->name, name) != 0)
      continue;
    if (table->columns == 1) {
      table->first = table->last = NULL;
    } else {
      before->next = column->next;
      if (column == table->first)
        table->first = column->next;
      if (column == table->last)
        table->last = before;
    }
    --table->columns;
    free_column(column);
    return;
  }
}

static void shift_columns(struct table *table) {
  struct column *old = table->first;
  if (table->columns < 2)
    return;
  table->first = old->next;
#ifdef FIXED
  table->last->next = table->first;
#endif
  --table->columns;
  free_column(old); // guilty: shift_columns lets the last column point to the freed first one
}

static void rotate(struct table *table) {
  if (table->columns > 1) {
    table->last = table->first;
    table->first = table->first->next;
  }
}

static long sum(const struct column *column) {
  long total = 0;
  for (unsigned i = 0; i < column->cell_count; ++i)
    total += column->cells[i];
  return total;
}

static void fill(struct table *table, long value) {
  struct column *column = table->first;
  for (unsigned i = 0; i < table->columns; ++i, column = column->next)
    column->cells[(unsigned long)(value + sum(column)) % column->cell_count] = value;
}

static void delete_table(struct table **slot) {
  struct table *table = *slot;
  struct column *column = table->first;
  for (unsigned left = table->columns; left > 0; --left) {
    struct column *next = column->next;
    free_column(column);
    column = next;
  }
  *slot = table->chain;
  free(table->name);
  free(table);
  --table_count;
}

static void obey(const char *line) {
  char command[16], name[64], other[64];
  long number = 0;
  int words = sscanf(line, "%15s %63s %63s %ld", command, name, other, &number);
  if (words < 2)
    return;
  struct table **slot = find(name);
  if (strcmp(command, "table") == 0) {
    if (*slot)
      return;
    *slot = calloc(1, sizeof(struct table));
    (*slot)->name = strdup(name);
    ++table_count;
  } else if (!*slot) {
    return;
  } else if (strcmp(command, "column") == 0 && words == 4) {
    add_column(*slot, other, (unsigned)number);
  } else if (strcmp(command, "drop") == 0 && words == 3) {
    drop_column(*slot, other);
  } else if (strcmp(command, "shift") == 0) {
    shift_columns(*slot);
  } else if (strcmp(command, "rotate") == 0) {
    rotate(*slot);
  } else if (strcmp(command, "fill") == 0 && words == 3) {
    fill(*slot, atol(other));
  } else if (strcmp(command, "delete") == 0) {
    delete_table(slot);
  }
}

int main(int argc, char **argv) {
  FILE *script = argc > 1 ? fopen(argv[1], "r") : stdin;
  char line[256];
  long total = 0;
  if (!script) {
    perror(argv[1]);
    return 2;
  }
  while (fgets(line, sizeof line, script))
    obey(line);
  fclose(script);
  for (unsigned bucket = 0; bucket < kBuckets; ++bucket)
    while (tables[bucket]) {
      struct column *column = tables[bucket]->first;
      for (unsigned i = 0; i < tables[bucket]->columns; ++i, column = column->next)
        total += sum(column);
      if (bucket % 8 == 0)
        printf("%s %u\n", tables[bucket]->name, tables[bucket]->columns);
      delete_table(&tables[bucket]);
    }
  printf("sum %ld\n", total);
  return 0;
}
