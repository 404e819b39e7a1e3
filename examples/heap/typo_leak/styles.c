// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A style engine: tables (one per open document part) with lists of properties, property names kept
// once in a symbol table, and a list of spare properties from which new ones are taken. The input
// is a script, one command a line:
//   open TABLE                    a new, empty table
//   set TABLE NAME VALUE          give a property a value
//   get TABLE NAME                look one up, also in the tables opened before
//   close TABLE...                these are done with
//   sweep                         squeeze closed tables out and give their properties back
// Prints a summary at the end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kTables = 512, kSymbolBuckets = 256 };

struct symbol {
  struct symbol *next;
  char *name;
};

struct property {
  struct property *next;
  struct symbol *name;
  char *value;
};

struct table {
  int id;
  int closed;
  struct property *properties;
};

static struct symbol *symbols[kSymbolBuckets];
static struct table *tables;
static unsigned table_count;
static struct property *spare;
static unsigned long gets, found, reused;

static struct symbol *intern(const char *name) {
  unsigned hash = 0;
  for (const char *c = name; *c; ++c)
    hash = hash * 31 + (unsigned char)*c;
  struct symbol **slot = &symbols[hash % kSymbolBuckets];
  for (struct symbol *symbol = *slot; symbol; symbol = symbol->next)
    if (strcmp(symbol->name, name) == 0)
      return symbol;
  struct symbol *symbol = calloc(1, sizeof *symbol);
  symbol->name = strdup(name);
  symbol->next = *slot;
  *slot = symbol;
  return symbol;
}

static int index_of(int id) {
  for (unsigned i = table_count; i-- > 0;)
    if (tables[i].id == id)
      return (int)i;
  return -1;
}

static struct property *take_property(void) {
  struct property *property = spare;
  if (property) {
    spare = property->next;
    ++reused;
  } else {
    property = malloc(sizeof *property);
  }
  memset(property, 0, sizeof *property);
  return property;
}

static struct property *lookup(const struct table *table, const struct symbol *name) {
  for (struct property *property = table->properties; property; property = property->next)
    if (property->name == name)
      return property;
  return NULL;
}

static void set(struct table *table, const char *name, const char *value) {
  struct symbol *symbol = intern(name);
  struct property *property = lookup(table, symbol);
  if (!property) {
    property = take_property();
    property->name = symbol;
    property->next = table->properties;
    table->properties = property;
  }
  free(property->value);
  property->value = strdup(value);
}

static const char *get(unsigned index, const char *name) {
  struct symbol *symbol = intern(name);
  ++gets;
  for (unsigned i = index + 1; i-- > 0;) {
    struct property *property = lookup(&tables[i], symbol);
    if (property) {
      ++found;
      return property->value;
    }
  }
  return "";
}

static struct property **end_of(struct property **list) {
  while (*list)
    list = &(*list)->next;
  return list;
}

static void drop_values(struct property *property) {
  for (; property; property = property->next) {
    free(property->value);
    property->value = NULL;
    property->name = NULL;
  }
}

static void sweep(void) {
  unsigned i = 0; // where the next table that stays goes
  for (unsigned j = 0; j < table_count; ++j) {
    if (tables[j].closed) {
      if (tables[j].properties) {
#ifdef FIXED
        struct property *list = tables[j].properties;
#else
        struct property *list = tables[i].properties; // guilty: sweep takes the list of i, not of j
#endif
        drop_values(list);
        *end_of(&spare) = list;
        tables[j].properties = NULL;
      }
    } else {
      if (i != j) {
        tables[i] = tables[j];
        tables[j].properties = NULL;
      }
      ++i;
    }
  }
  table_count = i;
}

static void obey(char *line) {
  char *command = strtok(line, " \n");
  char *word = strtok(NULL, " \n");
  if (!command)
    return;
  if (strcmp(command, "sweep") == 0) {
    sweep();
  } else if (strcmp(command, "open") == 0 && word && table_count < kTables) {
    tables[table_count++] = (struct table){.id = atoi(word)};
  } else if (strcmp(command, "close") == 0) {
    for (; word; word = strtok(NULL, " \n")) {
      int index = index_of(atoi(word));
      if (index >= 0)
        tables[index].closed = 1;
    }
  } else if (word) {
    int index = index_of(atoi(word));
    char *name = strtok(NULL, " \n");
    char *value = strtok(NULL, " \n");
    if (index >= 0 && name && value)
      set(&tables[index], name, value);
    else if (index >= 0 && name)
      get((unsigned)index, name);
  }
}

int main(int argc, char **argv) {
  FILE *script = argc > 1 ? fopen(argv[1], "r") : stdin;
  char line[512];
  unsigned long properties = 0;
  if (!script) {
    perror(argv[1]);
    return 2;
  }
  tables = calloc(kTables, sizeof *tables);
  while (fgets(line, sizeof line, script))
    obey(line);
  fclose(script);
  for (unsigned i = 0; i < table_count; ++i)
    for (struct property *property = tables[i].properties; property; property = property->next)
      ++properties;
  printf("%u tables, %lu properties, %lu of %lu found, %lu reused\n", table_count, properties,
         found, gets, reused);
  return 0;
}
