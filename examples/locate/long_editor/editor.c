// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An editor of lines: "put TEXT" appends a line, "drop N" drops one, "undo" brings the last dropped
// one back, "shuffle N" moves lines about N times. A dropped line is kept for undo and given back
// at once; at the end what is kept is given back as well.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kLines = 512, kUndo = 16 };

struct text {
  char *bytes;
  unsigned length;
};

struct buffer {
  struct text lines[kLines];
  unsigned count;
};

struct undo {
  struct text kept[kUndo];
  unsigned count;
};

static struct buffer *now;
static struct undo undo;
static unsigned seed = 5;
static unsigned long moved;

static unsigned next(void) {
  seed = seed * 1103515245u + 12345u;
  return seed >> 9;
}

static void insert(unsigned at, struct text text) {
  if (now->count == kLines || at > now->count)
    return;
  for (unsigned i = now->count; i > at; --i, ++moved)
    now->lines[i] = now->lines[i - 1];
  now->lines[at] = text;
  ++now->count;
}

static struct text take(unsigned at) {
  struct text text = now->lines[at];
  for (unsigned i = at; i + 1 < now->count; ++i, ++moved)
    now->lines[i] = now->lines[i + 1];
  --now->count;
  return text;
}

static void put(const char *text) {
  struct text line = {strdup(text), (unsigned)strlen(text)};
  insert(now->count, line);
}

static void keep(struct text text) {
  if (undo.count < kUndo)
    undo.kept[undo.count++] = text;
}

static void drop(unsigned at) {
  if (at >= now->count)
    return;
  struct text text = take(at);
  keep(text);
  if (text.length > 12)
    free(text.bytes); // culprit: first corruption
}

static void bring_back(void) {
  if (undo.count)
    insert(now->count, undo.kept[--undo.count]);
}

static void shuffle(unsigned rounds) {
  for (unsigned i = 0; i < rounds && now->count > 1; ++i) {
    struct text text = take(next() % now->count);
    insert(next() % (now->count + 1), text);
  }
}

// A copy of the buffer, as it would be written to a file.
static unsigned long checksum(void) {
  struct buffer *copy = malloc(sizeof *copy);
  *copy = *now;
  unsigned long sum = 0;
  for (unsigned i = 0; i < copy->count; ++i)
    sum = sum * 31 + copy->lines[i].length;
  free(copy);
  return sum;
}

int main(void) {
  char line[128], text[100];
  unsigned number;
  now = calloc(1, sizeof *now);
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "put %99s", text) == 1)
      put(text);
    else if (sscanf(line, "drop %u", &number) == 1)
      drop(number);
    else if (strncmp(line, "undo", 4) == 0)
      bring_back();
    else if (sscanf(line, "shuffle %u", &number) == 1)
      shuffle(number);
    else if (sscanf(line, "more %u", &number) == 1)
      for (unsigned i = 0; i < number; ++i)
        put("a line");
  }
  printf("%u lines, %lu moved, sum %lu\n", now->count, moved, checksum());
  while (now->count)
    free(take(now->count - 1).bytes);
  while (undo.count)
    free(undo.kept[--undo.count].bytes);
  free(now);
  return 0;
}
