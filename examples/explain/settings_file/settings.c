// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Off by one in a parser. The value of "key = value" is taken to end before the line's newline,
// which the last line of a file need not have.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting {
  char key[16];
  char value[16];
  struct setting *next;
};

static struct setting *settings;

static void copy_trimmed(char *to, const char *from, size_t length) {
  while (length > 0 && *from == ' ') {
    from++;
    length--;
  }
  while (length > 0 && from[length - 1] == ' ')
    length--;
  if (length > 15)
    length = 15;
  memcpy(to, from, length);
  to[length] = 0;
}

static void parse_line(const char *line) {
  const char *equals = strchr(line, '=');
  if (!equals || line[0] == '#')
    return;
  struct setting *setting = calloc(1, sizeof *setting);
  copy_trimmed(setting->key, line, (size_t)(equals - line));
  size_t rest = strlen(equals + 1) - 1; // culprit: cause rest
  copy_trimmed(setting->value, equals + 1, rest);
  setting->next = settings;
  settings = setting;
}

static const struct setting *find(const char *key) {
  for (const struct setting *each = settings; each; each = each->next)
    if (strcmp(each->key, key) == 0)
      return each;
  return NULL;
}

static const char *kModes[] = {"quiet", "loud", NULL};

static const char *mode_of(const char *value) {
  for (const char **mode = kModes; *mode; mode++)
    if (strcmp(*mode, value) == 0)
      return *mode;
  return NULL;
}

int main(void) {
  char line[64];
  while (fgets(line, sizeof line, stdin))
    parse_line(line);
  const struct setting *volume = find("volume");
  const struct setting *mode = find("mode");
  if (!volume || !mode)
    return 1;
  const char *name = mode_of(mode->value);
  printf("volume %d\n", atoi(volume->value));
  printf("mode %c\n", name[0]); // culprit: failure
  return 0;
}
