// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts with escapes: \u makes three bytes, and one was counted. The last of them is the first
// behind the block; the zero that ends the text comes next to it, in the same four bytes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t measure(const char *text) {
  size_t length = 0;
  for (; *text; length++)
    text += *text == '\\' && text[1] == 'u' ? 6 : 1;
  return length;
}

static char *unescape(const char *text) {
  char *out = malloc(measure(text) + 1);
  char *to = out;
  while (*text) {
    if (*text != '\\' || text[1] != 'u') {
      *to++ = *text++;
      continue;
    }
    char digits[5] = "";
    memcpy(digits, text + 2, 4);
    const long code = strtol(digits, NULL, 16);
    text += 6;
    *to++ = (char)(0xe0 | code >> 12);
    *to++ = (char)(0x80 | (code >> 6 & 63));
    *to++ = (char)(0x80 | (code & 63)); // culprit: first corruption
  }
  *to = '\0';
  return out;
}

int main(int argc, char **argv) {
  size_t letters = 0;
  for (int i = 1; i < argc; i++) {
    char *text = unescape(argv[i]);
    letters += strlen(text);
    free(text);
  }
  printf("%zu\n", letters);
  return 0;
}
