// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An object that says its name and can load another by name alone, which only its own RPATH finds:
// a call of dlopen that came from anywhere else would not.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

const char *plugin_name(void) { return strcpy(malloc(16), PLUGIN_NAME); }

void *plugin_load(const char *name) {
  void *object = dlopen(name, RTLD_NOW);
  return object ? dlsym(object, "plugin_name") : NULL;
}
