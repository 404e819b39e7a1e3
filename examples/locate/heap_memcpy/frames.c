// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes frames from standard input ("LENGTH TEXT" a line), keeps the newest and prints them in
// order of length. A frame's own length is trusted where the line's length should be.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kKept = 16, kLine = 1024 };

struct frame {
  size_t length;
  char *bytes;
};

static struct frame *kept[kKept];
static int count;

static struct frame *take(const char *line) {
  char *end;
  struct frame *frame = malloc(sizeof *frame);
  size_t said = strtoul(line, &end, 10);
  size_t there = strcspn(end + 1, "\n");
  frame->bytes = malloc(there + 1);
  memcpy(frame->bytes, end + 1, said); // culprit: first corruption
  frame->bytes[there] = '\0';
  frame->length = there;
  return frame;
}

static int by_length(const void *a, const void *b) {
  const struct frame *const *left = a, *const *right = b;
  return ((*left)->length > (*right)->length) - ((*left)->length < (*right)->length);
}

int main(void) {
  static char line[kLine];
  while (count < kKept && fgets(line, sizeof line, stdin))
    kept[count++] = take(line);
  qsort(kept, (size_t)count, sizeof *kept, by_length);
  for (int i = 0; i < count; ++i) {
    printf("%3zu %s\n", kept[i]->length, kept[i]->bytes);
    free(kept[i]->bytes);
    free(kept[i]);
  }
  return 0;
}
