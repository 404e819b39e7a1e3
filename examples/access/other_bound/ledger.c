// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A desk calculator's storage: numbered registers, lists and macros, each kind with a table that
// grows by itself when a higher number is used. The input is a script, one command a line:
//   set R VALUE                   register R
//   add R VALUE                   add to it
//   push L VALUE                  to the front of list L
//   sum L                         into register L
//   clear L                       list L is empty again
//   macro M TEXT                  keep a macro
//   show                          what is there
// As in bc, the table of lists is grown with the bound of another table.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kStep = 16, kHighest = 400 };

struct number {
  long value;
  unsigned changes;
};

struct cell {
  struct cell *next;
  long value;
};

struct list {
  struct cell *first;
  unsigned length;
};

static struct number **registers;
static struct list **lists;
static char **macros;
static unsigned register_count, list_count, macro_count;
static struct list nothing; // stands for every list that was never pushed to
static unsigned long refused;

static void *take(size_t count, size_t size) {
  void *block = calloc(count, size);
  if (!block)
    abort();
  return block;
}

static unsigned grown(unsigned count, unsigned number) {
  while (count <= number)
    count += kStep;
  return count;
}

static void more_registers(unsigned number) {
  struct number **old = registers;
  unsigned old_count = register_count;
  unsigned i;
  register_count = grown(register_count, number);
  registers = take(register_count, sizeof *registers);
  for (i = 0; i < old_count; ++i)
    registers[i] = old[i];
  for (; i < register_count; ++i)
    registers[i] = take(1, sizeof **registers);
  free(old);
}

static void more_lists(unsigned number) {
  struct list **old = lists;
  unsigned old_count = list_count;
  unsigned i;
  list_count = grown(list_count, number);
  lists = take(list_count, sizeof *lists);
  for (i = 0; i < old_count; ++i)
    lists[i] = old[i];
#ifdef FIXED
  for (; i < list_count; ++i)
#else
  for (; i < register_count; ++i)
#endif
    lists[i] = &nothing; // guilty: more_lists takes the bound of the registers
  free(old);
}

static void more_macros(unsigned number) {
  char **old = macros;
  unsigned old_count = macro_count;
  unsigned i;
  macro_count = grown(macro_count, number);
  macros = take(macro_count, sizeof *macros);
  for (i = 0; i < old_count; ++i)
    macros[i] = old[i];
  free(old);
}

static struct number *register_at(unsigned number) {
  if (number >= register_count)
    more_registers(number);
  return registers[number];
}

// A list that can be changed.
static struct list *list_at(unsigned number) {
  if (number >= list_count)
    more_lists(number);
  if (!lists[number] || lists[number] == &nothing)
    lists[number] = take(1, sizeof **lists);
  return lists[number];
}

static void set(unsigned number, long value, int adding) {
  struct number *at = register_at(number);
  at->value = adding ? at->value + value : value;
  ++at->changes;
}

static void push(unsigned number, long value) {
  struct list *list = list_at(number);
  struct cell *cell = take(1, sizeof *cell);
  cell->value = value;
  cell->next = list->first;
  list->first = cell;
  ++list->length;
}

static void clear(unsigned number) {
  struct list *list = list_at(number);
  while (list->first) {
    struct cell *cell = list->first;
    list->first = cell->next;
    free(cell);
  }
  list->length = 0;
}

static void sum(unsigned number) {
  long total = 0;
  for (const struct cell *cell = list_at(number)->first; cell; cell = cell->next)
    total += cell->value;
  set(number, total, 0);
}

static void keep_macro(unsigned number, const char *text) {
  if (number >= macro_count)
    more_macros(number);
  free(macros[number]);
  macros[number] = strdup(text);
}

static void show(void) {
  for (unsigned i = 0; i < register_count; ++i)
    if (registers[i]->changes)
      printf("r%u %ld (%u)\n", i, registers[i]->value, registers[i]->changes);
  for (unsigned i = 0; i < list_count; ++i)
    if (lists[i] && lists[i]->length)
      printf("l%u %u from %ld\n", i, lists[i]->length, lists[i]->first->value);
  for (unsigned i = 0; i < macro_count; ++i)
    if (macros[i])
      printf("m%u [%s]\n", i, macros[i]);
}

static void obey(char *line) {
  char *command = strtok(line, " \n");
  char *number = strtok(NULL, " \n");
  char *text = strtok(NULL, "\n");
  unsigned at = number ? (unsigned)atoi(number) : 0;
  if (!command)
    return;
  if (strcmp(command, "show") == 0)
    show();
  else if (!number || at > kHighest)
    ++refused;
  else if (strcmp(command, "sum") == 0)
    sum(at);
  else if (strcmp(command, "clear") == 0)
    clear(at);
  else if (!text)
    ++refused;
  else if (strcmp(command, "set") == 0 || strcmp(command, "add") == 0)
    set(at, atol(text), *command == 'a');
  else if (strcmp(command, "push") == 0)
    push(at, atol(text));
  else if (strcmp(command, "macro") == 0)
    keep_macro(at, text);
  else
    ++refused;
}

int main(int argc, char **argv) {
  FILE *script = argc > 1 ? fopen(argv[1], "r") : stdin;
  char line[512];
  if (!script) {
    perror(argv[1]);
    return 2;
  }
  while (fgets(line, sizeof line, script))
    obey(line);
  fclose(script);
  show();
  printf("%u registers, %u lists, %u macros, %lu refused\n", register_count, list_count,
         macro_count, refused);
  return 0;
}
