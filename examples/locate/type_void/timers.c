// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Timers with a function and something for it to work on, a void pointer: "beep N", "say TEXT" and
// "count" from standard input, then all are fired. The function and its data are put in by hand.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kTimers = 32 };

struct timer {
  void (*fire)(void *data);
  void *data;
};

struct message {
  char *text;
  int times;
};

struct beep {
  long length;
  long pitch;
};

static struct timer timers[kTimers];
static unsigned count;

static void fire_message(void *data) {
  struct message *message = data;
  for (int i = 0; i < message->times; ++i)
    puts(message->text);
}

static void fire_beep(void *data) {
  struct beep *beep = data;
  printf("%ld ms at %ld Hz\n", beep->length, beep->pitch);
}

static void set(void (*fire)(void *), void *data) {
  timers[count % kTimers].fire = fire;
  timers[count % kTimers].data = data;
  ++count;
}

static void add_beep(long tenths, int loud) {
  struct beep *beep = malloc(sizeof *beep);
  beep->length = 100 * tenths; // culprit: also right
  beep->pitch = loud ? 880 : 440;
  set(loud ? fire_message : fire_beep, beep); // culprit: first corruption
}

static void add_message(const char *text) {
  struct message *message = malloc(sizeof *message);
  message->text = strdup(text);
  message->times = 1;
  set(fire_message, message);
}

int main(void) {
  char line[128], text[64];
  long length;
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "beep %ld %63s", &length, text) >= 1)
      add_beep(length, strstr(line, "loud") != NULL);
    else if (sscanf(line, "say %63s", text) == 1)
      add_message(text);
  }
  for (unsigned i = 0; i < count && i < kTimers; ++i)
    timers[i].fire(timers[i].data);
  return 0;
}
