// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A packer: each argument is a file's name, for which it says under which name the packed file
// would lie and how it would be packed. The name is worked on in a global buffer.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { kName = 32 };

struct method {
  const char *suffix;
  unsigned (*cost)(const char *name);
};

static unsigned cost_of_text(const char *name) { return 3 * (unsigned)strlen(name); }
static unsigned cost_of_picture(const char *name) { return 9 * (unsigned)strlen(name); }

static const struct method methods[] = {{".txt.z", cost_of_text}, {".img.z", cost_of_picture}};

char packed[kName] = "";
const struct method *method = NULL;
unsigned total = 0;

static void choose(const char *name) {
  const char *dot = strrchr(name, '.');
  method = &methods[dot && strcmp(dot, ".img") == 0];
}

static void set_name(const char *name) {
  strcpy(packed, name); // culprit: first corruption
  char *dot = strrchr(packed, '.');
  if (dot)
    *dot = '\0';
}

static void to_lower(void) {
  for (char *at = packed; *at; ++at)
    *at = (char)tolower((unsigned char)*at);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    choose(argv[i]);
    set_name(argv[i]);
    to_lower();
    total += method->cost(argv[i]);
    printf("%s -> %s%s\n", argv[i], packed, method->suffix);
  }
  printf("cost %u\n", total);
  return 0;
}
