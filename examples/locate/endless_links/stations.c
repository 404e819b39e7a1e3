// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A railway line whose stations are the letters: "stop LETTER MINUTES" adds one at its end, "name
// TEXT" names the line, "time" tells how long a ride takes. A long name runs over the links from
// stop to stop; a line that leads back to itself is added up for ever.
#include <stdio.h>
#include <string.h>

static struct {
  char name[16];
  char next[26]; // by the letter of a stop: the next one, 0: none
} line;
static char first, last;
static unsigned minutes[26];

static void name_line(const char *text) {
  strcpy(line.name, text); // culprit: first corruption
}

static void add(char stop, unsigned time) {
  if (stop < 'a' || stop > 'z')
    return;
  minutes[stop - 'a'] = time;
  if (first == 0)
    first = stop;
  else
    line.next[last - 'a'] = stop;
  last = stop;
}

static unsigned ride(void) {
  unsigned time = 0;
  for (char stop = first; stop != 0; stop = line.next[stop - 'a'])
    time += minutes[stop - 'a'];
  return time;
}

int main(void) {
  char text[200], name[160], stop;
  unsigned time;
  while (fgets(text, sizeof text, stdin)) {
    if (sscanf(text, "stop %c %u", &stop, &time) == 2)
      add(stop, time);
    else if (sscanf(text, "name %159s", name) == 1)
      name_line(name);
    else if (strncmp(text, "time", 4) == 0)
      printf("%s: %u minutes\n", line.name, ride());
  }
  return 0;
}
