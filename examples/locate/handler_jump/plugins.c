// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls plugins one after the other; one that faults is left by siglongjmp and counted as broken.
// The name of a plugin runs over the pointer to its options.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kPlugins = 4 };

struct plugin {
  char name[12];
  unsigned calls;
  const char *options;
};

static struct plugin plugins[kPlugins];
static unsigned count;
static sigjmp_buf out;

static void on_fault(int number) { siglongjmp(out, number); }

static void load(const char *name, const char *options) {
  struct plugin *plugin = &plugins[count++];
  plugin->options = options;
  strcpy(plugin->name, name); // culprit: first corruption
}

static size_t run(struct plugin *plugin) {
  ++plugin->calls;
  return strlen(plugin->options);
}

int main(int argc, char **argv) {
  volatile unsigned broken = 0;
  volatile size_t sum = 0;
  struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_NODEFER};
  sigaction(SIGSEGV, &action, NULL);
  for (int i = 1; i < argc && i <= kPlugins; ++i)
    load(argv[i], "fast,small");
  for (volatile unsigned i = 0; i < count; ++i) {
    if (sigsetjmp(out, 1) == 0)
      sum += run(&plugins[i]);
    else
      ++broken;
  }
  printf("%zu, %u broken\n", sum, broken);
  return broken ? 1 : 0;
}
