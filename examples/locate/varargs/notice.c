// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints notices with a formatter of its own, which takes its words through varargs: "title TEXT",
// "sign NAME", "print". The title is copied into a field that is too small.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

char title[16] = "untitled";
const char *signature = "the management";
static char out[256];

static void put(unsigned *used, const char *word) {
  while (*word && *used + 1 < sizeof out)
    out[(*used)++] = *word++;
}

static unsigned vcompose(unsigned count, va_list words) {
  unsigned used = 0;
  for (unsigned i = 0; i < count; ++i) {
    const char *word = va_arg(words, const char *);
    put(&used, word);
    put(&used, i + 1 < count ? " - " : "\n");
  }
  out[used] = '\0';
  return used;
}

static unsigned compose(unsigned count, ...) {
  va_list words, again;
  va_start(words, count);
  va_copy(again, words);
  unsigned used = vcompose(count, again);
  va_end(again);
  va_end(words);
  return used;
}

int main(void) {
  static char name[64];
  char line[128], text[100];
  unsigned written = 0;
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "title %99s", text) == 1)
      strcpy(title, text); // culprit: first corruption
    else if (sscanf(line, "sign %63s", name) == 1)
      signature = name;
    else if (strncmp(line, "print", 5) == 0) {
      written += compose(7, "notice", "of", "today", "as", "follows", title, signature);
      fputs(out, stdout);
    }
  }
  printf("%u characters\n", written);
  return 0;
}
