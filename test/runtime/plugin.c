// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdlib.h>
#include <string.h>

const char *plugin_name(void) { return strcpy(malloc(16), PLUGIN_NAME); }
