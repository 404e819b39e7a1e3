// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A help desk: tickets with remarks, people who work on them, and the ticket looked at last, which
// is kept at hand. The input is a script, one command a line:
//   person NAME                   somebody who works here
//   open ID TEXT                  a ticket
//   remark ID TEXT                add to it
//   give ID NAME                  this person works on it
//   again TEXT                    one more remark to the ticket looked at last
//   close ID                      done with
//   merge FROM TO                 FROM was the same question: its remarks go to TO
//   import LINES                  so many old lines are read and thrown away
//   report                        everything
// As in the paper's version of bc, a block is written after it was freed and given to another.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kBuckets = 64, kImport = 1 << 16 };

struct remark {
  struct remark *next;
  char *text;
};

struct person {
  struct person *next;
  char name[24];
  unsigned long given;
  unsigned long load;
};

struct ticket {
  struct ticket *next;
  unsigned id;
  unsigned remarks;
  struct remark *first;
  unsigned long looked;
  char *text;
  struct person *worker;
};

static struct ticket *tickets[kBuckets];
static struct person *people;
static struct ticket *last; // looked at last
static unsigned long opened, closed, merged, refused, imported;

static struct ticket **slot_of(unsigned id) {
  struct ticket **slot = &tickets[id % kBuckets];
  while (*slot && (*slot)->id != id)
    slot = &(*slot)->next;
  return slot;
}

static struct ticket *look(unsigned id) {
  if (last && last->id == id) {
    ++last->looked;
    return last;
  }
  struct ticket *ticket = *slot_of(id);
  if (ticket) {
    ++ticket->looked;
    last = ticket;
  }
  return ticket;
}

static struct person *find_person(const char *name) {
  struct person *person = people;
  while (person && strcmp(person->name, name) != 0)
    person = person->next;
  return person;
}

static void add_person(const char *name) {
  if (find_person(name) || strlen(name) >= sizeof people->name) {
    ++refused;
    return;
  }
  struct person *person = malloc(sizeof *person);
  strcpy(person->name, name);
  person->given = 0;
  person->load = 0;
  person->next = people;
  people = person;
}

static void open_ticket(unsigned id, const char *text) {
  struct ticket **slot = slot_of(id);
  if (*slot) {
    ++refused;
    return;
  }
  struct ticket *ticket = malloc(sizeof *ticket);
  *ticket = (struct ticket){.id = id, .text = strdup(text)};
  *slot = ticket;
  last = ticket;
  ++opened;
}

static void add_remark(struct ticket *ticket, const char *text) {
  struct remark *remark = malloc(sizeof *remark);
  remark->text = strdup(text);
  remark->next = ticket->first;
  ticket->first = remark;
  ++ticket->remarks;
  ++ticket->looked;
}

static void give(unsigned id, const char *name) {
  struct ticket *ticket = look(id);
  struct person *person = find_person(name);
  if (!ticket || !person) {
    ++refused;
    return;
  }
  if (ticket->worker)
    --ticket->worker->load;
  ticket->worker = person;
  ++person->given;
  ++person->load;
}

static void forget(struct ticket **slot) {
  struct ticket *ticket = *slot;
  *slot = ticket->next;
  if (ticket->worker)
    --ticket->worker->load;
  free(ticket->text);
  free(ticket);
}

static void close_ticket(unsigned id) {
  struct ticket **slot = slot_of(id);
  if (!*slot) {
    ++refused;
    return;
  }
  while ((*slot)->first) {
    struct remark *remark = (*slot)->first;
    (*slot)->first = remark->next;
    free(remark->text);
    free(remark);
  }
  if (last == *slot)
    last = NULL;
  forget(slot);
  ++closed;
}

static void merge(unsigned from, unsigned to) {
  struct ticket **slot = slot_of(from);
  struct ticket *ticket = *slot_of(to);
  if (!*slot || !ticket || *slot == ticket) {
    ++refused;
    return;
  }
  struct remark **end = &ticket->first;
  while (*end)
    end = &(*end)->next;
  *end = (*slot)->first;
  ticket->remarks += (*slot)->remarks;
#ifdef FIXED
  if (last == *slot)
    last = NULL;
#endif
  forget(slot); // the one looked at last may be this one
  ++merged;
}

static void again(const char *text) {
  if (!last) {
    ++refused;
    return;
  }
  struct remark *remark = malloc(sizeof *remark);
  remark->text = strdup(text);
  remark->next = last->first;
  last->first = remark; // guilty: again writes a ticket that merge has freed
  ++last->remarks;
}

static void import(unsigned lines) {
  while (lines-- > 0) {
    char *line = malloc(kImport);
    memset(line, ' ', 80);
    line[80] = '\0';
    imported += strlen(line);
    free(line);
  }
}

static void report(void) {
  for (const struct person *person = people; person; person = person->next)
    printf("%s: given %lu, works on %lu\n", person->name, person->given, person->load);
  for (unsigned i = 0; i < kBuckets; ++i)
    for (const struct ticket *ticket = tickets[i]; ticket; ticket = ticket->next) {
      printf("%u %s (%u remarks, looked at %lu times)\n", ticket->id, ticket->text, ticket->remarks,
             ticket->looked);
      for (const struct remark *remark = ticket->first; remark; remark = remark->next)
        printf("  %s\n", remark->text);
    }
}

static void obey(char *line) {
  char *command = strtok(line, " \n");
  char *first = strtok(NULL, " \n");
  char *rest = strtok(NULL, "\n");
  if (!command)
    return;
  unsigned id = first ? (unsigned)atoi(first) : 0;
  struct ticket *ticket;
  if (strcmp(command, "report") == 0)
    report();
  else if (!first)
    ++refused;
  else if (strcmp(command, "person") == 0)
    add_person(first);
  else if (strcmp(command, "again") == 0)
    again(first);
  else if (strcmp(command, "close") == 0)
    close_ticket(id);
  else if (strcmp(command, "import") == 0)
    import(id);
  else if (!rest)
    ++refused;
  else if (strcmp(command, "open") == 0)
    open_ticket(id, rest);
  else if (strcmp(command, "remark") == 0 && (ticket = look(id)))
    add_remark(ticket, rest);
  else if (strcmp(command, "give") == 0)
    give(id, rest);
  else if (strcmp(command, "merge") == 0)
    merge(id, (unsigned)atoi(rest));
  else
    ++refused;
}

int main(int argc, char **argv) {
  FILE *script = argc > 1 ? fopen(argv[1], "r") : stdin;
  char line[512];
  if (!script) {
    perror(argv[1]);
    return 2;
  }
  while (fgets(line, sizeof line, script))
    obey(line);
  fclose(script);
  report();
  printf("%lu opened, %lu closed, %lu merged, %lu refused, %lu bytes imported\n", opened, closed,
         merged, refused, imported);
  return 0;
}
