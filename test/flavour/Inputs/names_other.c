// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "names.h"
#include <stdlib.h>
static char buffer[24];
struct entry *shared;
struct entry *make_entry(const char *text) {
  static int made;
  struct entry *entry = malloc(sizeof *entry);
  entry->number = ++made + buffer[(unsigned char)text[0] & 15];
  for (int i = 0; (entry->name[i] = buffer[i & 15] = text[i]); ++i)
    ;
  return shared = entry;
}
