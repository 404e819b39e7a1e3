// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of a small configuration language: "NAME = TEXT" or "NAME = NUMBER" lines, then names to
// print. A value that looks like a number and goes on as a text gets the wrong tag.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kValues = 32 };
enum kind { kNumber, kText };

struct value {
  char name[16];
  enum kind kind;
  union {
    long number;
    char *text;
  };
};

static struct value values[kValues];
static unsigned count;

static void set(const char *name, const char *text) {
  struct value *value = &values[count++ % kValues];
  char *end;
  snprintf(value->name, sizeof value->name, "%s", name);
  value->kind =
      isdigit((unsigned char)text[strlen(text) - 1]) ? kNumber : kText; // culprit: the error
  value->number = strtol(text, &end, 10);                               // culprit: first corruption
  if (end == text)
    value->text = strdup(text);
}

static void print(const struct value *value) {
  if (value->kind == kNumber)
    printf("%s: %ld\n", value->name, value->number);
  else
    printf("%s: '%s', %zu characters\n", value->name, value->text, strlen(value->text));
}

int main(void) {
  char line[128], name[32], text[64];
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "%31s = %63s", name, text) == 2)
      set(name, text);
    else if (sscanf(line, "%31s", name) == 1)
      for (unsigned i = 0; i < count && i < kValues; ++i)
        if (strcmp(values[i].name, name) == 0)
          print(&values[i]);
  }
  return 0;
}
