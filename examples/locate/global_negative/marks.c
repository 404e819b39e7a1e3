// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says in which line each letter of a text was seen last, group by group. Groups are in a table in
// front of the lines. What is no small letter should not be looked up at all.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { kGroups = 4, kLetters = 26 };

struct group {
  const char *name;
  const char *members;
};

static struct group known[kGroups] = {
    {"vowels", "aeiou"}, {"hissing", "sxz"}, {"humming", "mn"}, {"rare", "jqy"}};

struct group *groups[kGroups] = {NULL};
int seen[kLetters] = {0};

static void note(const char *text, int line) {
  for (; *text; ++text) {
    if (isspace((unsigned char)*text) || isupper((unsigned char)*text))
      continue;
    seen[*text - 'a'] = line; // culprit: first corruption
  }
}

static void report(const struct group *group) {
  int last = 0;
  for (const char *at = group->members; *at; ++at)
    if (seen[*at - 'a'] > last)
      last = seen[*at - 'a'];
  printf("%s: line %d\n", group->name, last);
}

int main(void) {
  char text[256];
  int line = 0;
  for (int i = 0; i < kGroups; ++i)
    groups[i] = &known[i];
  while (fgets(text, sizeof text, stdin))
    note(text, ++line);
  for (int i = 0; i < kGroups; ++i)
    report(groups[i]);
  return 0;
}
