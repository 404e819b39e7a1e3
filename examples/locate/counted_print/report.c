// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a line of words by snprintf, adding what it returns: how many letters there would have
// been. Once that is more than there is room for, the rest of the room is a very large number.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
  char line[40];
  const char *end;
} report;

static size_t print_words(int count, char **words) {
  size_t at = 0;
  for (int i = 0; i < count; ++i) {
    const size_t room = sizeof report.line - at;
    at += (size_t)snprintf(report.line + at, room, "%s,", words[i]); // culprit: first corruption
  }
  return at;
}

int main(int argc, char **argv) {
  report.end = "done";
  size_t letters = print_words(argc - 1, argv + 1);
  printf("%.39s %s %zu\n", report.line, report.end, letters);
  return 0;
}
