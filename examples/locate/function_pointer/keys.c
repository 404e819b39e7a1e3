// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys of an editor: "bind KEY ACTION" and "type TEXT". Bindings are a table by character, and the
// actions' table lies behind the one of the last keys typed.
#include <stdio.h>
#include <string.h>

enum { kRecent = 8, kActions = 4 };

static char text[128];
static unsigned length;
unsigned long recent[kRecent] = {0};
void (*actions[kActions])(void) = {NULL};
static unsigned typed;

static void erase(void) {
  if (length)
    text[--length] = '\0';
}

static void shout(void) {
  for (unsigned i = 0; i < length; ++i)
    if (text[i] >= 'a' && text[i] <= 'z')
      text[i] = (char)(text[i] - 32);
}

static void clear(void) { text[length = 0] = '\0'; }

static void press(char key) {
  recent[typed++ & 15] = (unsigned long)key; // culprit: first corruption
  if (key >= '0' && key < '0' + kActions) {
    if (actions[key - '0'])
      actions[key - '0']();
  } else if (length + 1 < sizeof text) {
    text[length++] = key;
  }
}

static void bind(int key, const char *name) {
  actions[key & 3] = strcmp(name, "erase") == 0   ? erase
                     : strcmp(name, "shout") == 0 ? shout
                                                  : clear;
}

int main(void) {
  char line[128], name[32];
  int key;
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "bind %d %31s", &key, name) == 2)
      bind(key, name);
    else if (strncmp(line, "type ", 5) == 0)
      for (const char *at = line + 5; *at && *at != '\n'; ++at)
        press(*at);
  }
  printf("%s\n%u keys, last %c\n", text, typed, (char)recent[(typed - 1) & 7]);
  return 0;
}
