// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A calculator with named commands: "def NAME add|mul N", "do NAME". A name longer than its field
// runs into the function that stands behind it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kCommands = 16 };

struct command {
  char name[16];
  long (*run)(long value, long by);
  long by;
};

static struct command *commands[kCommands];
static unsigned count;

static long add(long value, long by) { return value + by; }
static long multiply(long value, long by) { return value * by; }

static void define(const char *name, const char *what, long by) {
  struct command *command = malloc(sizeof *command);
  command->run = what[0] == 'm' ? multiply : add;
  command->by = by;
  strcpy(command->name, name); // culprit: first corruption
  commands[count++ % kCommands] = command;
}

static long perform(const char *name, long value) {
  for (unsigned i = 0; i < count && i < kCommands; ++i)
    if (strncmp(commands[i]->name, name, strlen(name)) == 0)
      return commands[i]->run(value, commands[i]->by);
  printf("no command %s\n", name);
  return value;
}

int main(void) {
  char line[256], name[128], what[16];
  long by, value = 1;
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "def %127s %15s %ld", name, what, &by) == 3)
      define(name, what, by);
    else if (sscanf(line, "do %127s", name) == 1)
      value = perform(name, value);
  }
  printf("%ld\n", value);
  for (unsigned i = 0; i < count && i < kCommands; ++i)
    free(commands[i]);
  return 0;
}
