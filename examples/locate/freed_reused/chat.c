// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A chat server without a network: "join NAME", "say NAME TEXT", "leave NAME", "bot NAME", "poke".
// Who spoke last is remembered for `again`, also when he has left; bots live in blocks of the same
// size.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person {
  char name[24];
  unsigned long said;
};

struct bot {
  void (*answer)(const struct bot *bot);
  unsigned long asked;
  char name[16];
};

static struct person *people[16];
static struct bot *bot;
static struct person *last;

static void cheerful(const struct bot *me) { printf("%s: hello\n", me->name); }

static struct person **slot_of(const char *name) {
  for (int i = 0; i < 16; ++i)
    if (people[i] && strcmp(people[i]->name, name) == 0)
      return &people[i];
  return NULL;
}

static void join(const char *name) {
  for (int i = 0; i < 16; ++i) {
    if (people[i])
      continue;
    people[i] = malloc(sizeof *people[i]);
    snprintf(people[i]->name, sizeof people[i]->name, "%s", name);
    people[i]->said = 0;
    return;
  }
}

static void leave(const char *name) {
  struct person **slot = slot_of(name);
  if (!slot)
    return;
  free(*slot); // culprit: first corruption
  *slot = NULL;
}

static void rename_last(const char *name) {
  if (last)
    snprintf(last->name, sizeof last->name, "%s", name); // culprit: the error
}

static void make_bot(const char *name) {
  bot = malloc(sizeof *bot);
  bot->answer = cheerful;
  bot->asked = 0;
  snprintf(bot->name, sizeof bot->name, "%s", name);
}

int main(void) {
  char line[128], verb[16], name[24];
  while (fgets(line, sizeof line, stdin)) {
    name[0] = '\0';
    if (sscanf(line, "%15s %23s", verb, name) < 1)
      continue;
    if (strcmp(verb, "join") == 0)
      join(name);
    else if (strcmp(verb, "leave") == 0)
      leave(name);
    else if (strcmp(verb, "bot") == 0)
      make_bot(name);
    else if (strcmp(verb, "nick") == 0)
      rename_last(name);
    else if (strcmp(verb, "poke") == 0 && bot)
      bot->answer(bot);
    else if (strcmp(verb, "say") == 0 && slot_of(name)) {
      last = *slot_of(name);
      printf("%s said %lu things\n", last->name, ++last->said);
    }
  }
  return 0;
}
