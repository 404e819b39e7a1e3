// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads "named.so" by name alone, which only its RPATH with $ORIGIN can find, and prints what the
// object says.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  void *object = dlopen(argc > 1 ? argv[1] : "named.so", RTLD_NOW);
  if (!object) {
    puts("not found");
    return 1;
  }
  const char *(*name)(void) = (const char *(*)(void))dlsym(object, "plugin_name");
  const char *text = name();
  puts(text);
  free((void *)text);
  return dlopen(NULL, RTLD_NOW) ? 0 : 2;
}
