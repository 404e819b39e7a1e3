// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer with a gap: "i TEXT" inserts, "l N" goes left, "d N" deletes, "p" prints. All that was
// done is noted, so that it could be undone; a note has no room for the end of its text.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct note {
  struct note *before;
  char *text;
};

static struct {
  char *text;
  size_t gap, tail, size;
  struct note *last;
} buffer;

static void *room(size_t bytes) {
  void *block = malloc(bytes);
  if (!block)
    exit(2);
  return block;
}

static void go_left(size_t count) {
  if (count > buffer.gap)
    count = buffer.gap;
  memmove(buffer.text + buffer.tail - count, buffer.text + buffer.gap - count, count);
  buffer.gap -= count;
  buffer.tail -= count;
}

static void grow(size_t needed) {
  if (buffer.tail - buffer.gap >= needed)
    return;
  size_t rest = buffer.size - buffer.tail, size = buffer.size * 2 + needed;
  char *text = room(size);
  memcpy(text, buffer.text, buffer.gap);
  memcpy(text + size - rest, buffer.text + buffer.tail, rest);
  free(buffer.text);
  buffer.text = text;
  buffer.tail = size - rest;
  buffer.size = size;
}

static void take_note(const char *text, size_t length) {
  struct note *note = room(sizeof *note);
  note->text = room(length); // culprit: the error
  memcpy(note->text, text, length);
  note->text[length] = 0; // culprit: first corruption
  note->before = buffer.last;
  buffer.last = note;
}

static void insert(const char *text) {
  size_t length = strlen(text);
  grow(length);
  memcpy(buffer.text + buffer.gap, text, length);
  buffer.gap += length;
  take_note(text, length);
}

static void erase(size_t count) {
  if (count > buffer.gap)
    count = buffer.gap;
  take_note(buffer.text + buffer.gap - count, count);
  buffer.gap -= count;
}

int main(void) {
  char word, text[64];
  unsigned count;
  buffer.size = buffer.tail = 16;
  buffer.text = room(16);
  while (scanf(" %c", &word) == 1) {
    if (word == 'i' && scanf("%63s", text) == 1)
      insert(text);
    else if (word == 'l' && scanf("%u", &count) == 1)
      go_left(count);
    else if (word == 'd' && scanf("%u", &count) == 1)
      erase(count);
    else if (word == 'p')
      printf("%.*s%.*s\n", (int)buffer.gap, buffer.text, (int)(buffer.size - buffer.tail),
             buffer.text + buffer.tail);
  }
  while (buffer.last) {
    struct note *note = buffer.last;
    buffer.last = note->before;
    free(note->text);
    free(note);
  }
  free(buffer.text);
  return 0;
}
