// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A journal: keeps the last notes in blocks of their own, each with a stamp put behind its text.
// The room for the stamp was counted when it had four digits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kNotes = 32, kStamp = 4 };

static char *notes[kNotes];
static unsigned used;

static char *stamped(const char *text, unsigned long when) {
  size_t length = strlen(text);
  char *note = malloc(length + kStamp + 2); // culprit: also right
  memcpy(note, text, length);
  note[length] = '@';
  sprintf(note + length + 1, "%lu", when); // culprit: first corruption
  return note;
}

int main(int argc, char **argv) {
  unsigned long now = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
  for (int i = 2; i < argc && used < kNotes; ++i)
    notes[used++] = stamped(argv[i], now + (unsigned)i);
  for (unsigned i = 0; i < used; ++i)
    puts(notes[i]);
  for (unsigned i = 0; i < used; ++i)
    free(notes[i]);
  return 0;
}
