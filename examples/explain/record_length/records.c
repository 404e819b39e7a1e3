// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number that does not fit. Records of a letter, a length and so many bytes are read from
// standard input; the length is kept in a byte.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct record {
  char kind;
  unsigned char length;
  char *bytes;
  struct record *next;
};

static char buffer[4096];

static struct record *parse(const char *from, const char *end) {
  struct record *first = NULL, **last = &first;
  while (from < end) {
    struct record *record = calloc(1, sizeof *record);
    record->kind = *from++;
    int length = 0;
    while (from < end && *from >= '0' && *from <= '9')
      length = length * 10 + (*from++ - '0');
    from++;
    record->length = (unsigned char)length; // culprit: cause length
    record->bytes = malloc(record->length + 1u);
    for (int i = 0; i < record->length && from < end; i++)
      record->bytes[i] = *from++;
    if (from < end && *from == '\n')
      from++;
    *last = record;
    last = &record->next;
  }
  return first;
}

int main(void) {
  ssize_t size = read(0, buffer, sizeof buffer);
  if (size <= 0)
    return 2;
  int records = 0, bytes = 0;
  for (struct record *each = parse(buffer, buffer + size); each; each = each->next) {
    records++;
    bytes += each->length;
  }
  printf("%d records, %d bytes\n", records, bytes);
  return 0;
}
