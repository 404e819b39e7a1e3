// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A restaurant's kitchen, for the tour of `culprit demo`. Tickets hang in one doubly linked list in
// the order in which they are cooked, and are found by table. Words are obeyed one after the other:
//   order TABLE DISH            a ticket behind all others
//   hurry TABLE DISH BEHIND     a ticket right behind that of another table
//   cancel TABLE                the guests have left
//   pay TABLE                   by one of them
//   split TABLE GUESTS          in equal parts
//   evening SEED GUESTS HURRY   four hours full of guests, HURRY in a hundred of them in a hurry
// It has three errors: a link that is never set, which no output shows; a ticket that is thrown
// away while its table still points to it; a sum that is not shared out to the last cent.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kTables = 4099, kMinutes = 240 };

struct dish {
  const char *name;
  unsigned price; // cents
};

static const struct dish menu[] = {{"soup", 650}, {"fish", 1800}, {"cake", 520}, {"tea", 310}};

struct ticket {
  const struct dish *dish;
  struct ticket *next, *prev; // in the order of cooking
  struct ticket *same;        // of the tables that share a slot
  char note[32];
  unsigned table;
  unsigned minutes; // until it is eaten
};

struct kitchen {
  struct ticket *first, *last;
  struct ticket **by_table;
  unsigned tickets;
  unsigned long owed, paid; // cents
};

static const struct dish *dish_called(const char *name) {
  for (size_t i = 0; i < sizeof menu / sizeof *menu; ++i)
    if (strcmp(menu[i].name, name) == 0)
      return &menu[i];
  return &menu[0];
}

static struct ticket **slot_of(struct kitchen *kitchen, unsigned table) {
  struct ticket **slot = &kitchen->by_table[table % kTables];
  while (*slot && (*slot)->table != table)
    slot = &(*slot)->same;
  return slot;
}

static struct ticket *write_ticket(struct kitchen *kitchen, unsigned table,
                                   const struct dish *dish) {
  struct ticket *ticket = calloc(1, sizeof *ticket);
  snprintf(ticket->note, sizeof ticket->note, "%s for table %u", dish->name, table);
  ticket->dish = dish;
  ticket->table = table;
  ticket->minutes = 30 + table % 20;
  *slot_of(kitchen, table) = ticket;
  ++kitchen->tickets;
  return ticket;
}

static void hang_last(struct kitchen *kitchen, struct ticket *ticket) {
  ticket->prev = kitchen->last;
  if (kitchen->last)
    kitchen->last->next = ticket;
  else
    kitchen->first = ticket;
  kitchen->last = ticket;
}

static void hang_behind(struct kitchen *kitchen, struct ticket *at, struct ticket *ticket) {
  if (at->next == NULL) {
    hang_last(kitchen, ticket);
    return;
  }
  ticket->next = at->next; // culprit: heap: ticket->prev is never set
  ticket->next->prev = ticket;
  at->next = ticket;
}

static void take_down(struct kitchen *kitchen, struct ticket *before, struct ticket *ticket) {
  if (before)
    before->next = ticket->next;
  else
    kitchen->first = ticket->next;
  if (ticket->next)
    ticket->next->prev = before;
  else
    kitchen->last = before;
  --kitchen->tickets;
}

static void cancel(struct kitchen *kitchen, unsigned table) {
  struct ticket *before = NULL;
  for (struct ticket *ticket = kitchen->first; ticket; before = ticket, ticket = ticket->next)
    if (ticket->table == table) {
      take_down(kitchen, before, ticket);
      free(ticket); // culprit: first corruption: the slot of its table still points to it
      return;
    }
}

static void pay(struct kitchen *kitchen, unsigned table) {
  const struct ticket *ticket = *slot_of(kitchen, table);
  if (!ticket)
    return;
  kitchen->owed += ticket->dish->price;
  kitchen->paid += ticket->dish->price;
  printf("table %u pays %u\n", table, ticket->dish->price);
}

static void split(struct kitchen *kitchen, unsigned table, unsigned guests) {
  const struct ticket *ticket = *slot_of(kitchen, table);
  if (!ticket || guests == 0)
    return;
  unsigned share = ticket->dish->price / guests; // culprit: cause: what remains is lost
  for (unsigned guest = 0; guest < guests; ++guest)
    kitchen->paid += share;
  kitchen->owed += ticket->dish->price;
}

// A minute passes: who has eaten pays and goes.
static void minute(struct kitchen *kitchen) {
  struct ticket *before = NULL;
  struct ticket *ticket = kitchen->first;
  while (ticket) {
    struct ticket *next = ticket->next;
    if (--ticket->minutes > 0) {
      before = ticket;
    } else {
      struct ticket **slot = slot_of(kitchen, ticket->table);
      *slot = ticket->same;
      kitchen->owed += ticket->dish->price;
      kitchen->paid += ticket->dish->price;
      take_down(kitchen, before, ticket);
      free(ticket);
    }
    ticket = next;
  }
}

static unsigned below(unsigned long *state, unsigned bound) {
  *state = *state * 6364136223846793005ul + 1442695040888963407ul;
  return (unsigned)(*state >> 33) % bound;
}

static void evening(struct kitchen *kitchen, unsigned long seed, unsigned guests, unsigned hurry) {
  unsigned table = 1000;
  for (int i = 0; i < kMinutes; ++i) {
    for (unsigned guest = 0; guest < guests / 40; ++guest, ++table) {
      const struct dish *dish = &menu[below(&seed, sizeof menu / sizeof *menu)];
      struct ticket *at = NULL;
      if (below(&seed, 100) < hurry)
        at = *slot_of(kitchen, table - 1 - below(&seed, guests / 2 + 1));
      struct ticket *ticket = write_ticket(kitchen, table, dish);
      if (at)
        hang_behind(kitchen, at, ticket);
      else
        hang_last(kitchen, ticket);
    }
    minute(kitchen);
  }
}

static void close_up(struct kitchen *kitchen) {
  while (kitchen->first) {
    struct ticket *ticket = kitchen->first;
    kitchen->first = ticket->next;
    free(ticket);
  }
  free(kitchen->by_table);
}

int main(int argc, char **argv) {
  struct kitchen kitchen = {0};
  kitchen.by_table = calloc(kTables, sizeof *kitchen.by_table);
  for (int i = 1; i < argc;) {
    const char *word = argv[i++];
    unsigned table = i < argc ? (unsigned)atoi(argv[i++]) : 0;
    if (strcmp(word, "cancel") == 0) {
      cancel(&kitchen, table);
    } else if (strcmp(word, "pay") == 0) {
      pay(&kitchen, table);
    } else if (strcmp(word, "order") == 0 && i < argc) {
      hang_last(&kitchen, write_ticket(&kitchen, table, dish_called(argv[i++])));
    } else if (strcmp(word, "split") == 0 && i < argc) {
      split(&kitchen, table, (unsigned)atoi(argv[i++]));
    } else if (strcmp(word, "hurry") == 0 && i + 1 < argc) {
      struct ticket *ticket = write_ticket(&kitchen, table, dish_called(argv[i]));
      struct ticket *at = *slot_of(&kitchen, (unsigned)atoi(argv[i + 1]));
      i += 2;
      if (at)
        hang_behind(&kitchen, at, ticket);
      else
        hang_last(&kitchen, ticket);
    } else if (strcmp(word, "evening") == 0 && i + 1 < argc) {
      evening(&kitchen, table, (unsigned)atoi(argv[i]), (unsigned)atoi(argv[i + 1]));
      i += 2;
    } else {
      fprintf(stderr, "kitchen: %s?\n", word);
      return 2;
    }
  }
  unsigned long missing = kitchen.owed - kitchen.paid;
  printf("%u tickets hang, %lu cents taken\n", kitchen.tickets, kitchen.paid);
  close_up(&kitchen);
  if (missing) {
    printf("the till is short of %lu cents\n", missing);
    return 1;
  }
  return 0;
}
