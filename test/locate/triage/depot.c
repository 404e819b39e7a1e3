// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A depot: customers, items, orders, and what is done with them, from a file of commands. Six
// errors are planted, each of another kind, each with several places where the program may fall
// over; the first corruption of each is marked `// culprit: first corruption, NAME`. Which input
// has which is known to generate.py alone.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kItems = 64, kOrders = 128, kStops = 6, kLine = 512 };

struct report {
  unsigned long lines;
  unsigned long orders;
};

struct clerk {
  char name[16];
  unsigned long served;
};

struct customer {
  struct customer *next;
  char name[16];
  unsigned long bought;
  unsigned shipped;
};

struct item {
  char *name;
  char *note;
  char *label;
  int price;
};

struct order {
  struct customer *customer;
  struct item *item;
  int number;
};

char depot[24] = "";
struct report *report = NULL;
struct clerk *clerk = NULL;
static struct customer *customers;
static struct item *items[kItems];
static struct order orders[kOrders];
static unsigned item_count, order_count;

static void set_depot(const char *name) {
  strcpy(depot, name); // culprit: first corruption, global_overflow
}

static struct customer *find_customer(const char *name) {
  for (struct customer *customer = customers; customer; customer = customer->next)
    if (strcmp(customer->name, name) == 0)
      return customer;
  return NULL; // culprit: first corruption, null
}

static int find_item(const char *name) {
  for (unsigned i = 0; i < item_count; ++i)
    if (items[i] && strcmp(items[i]->name, name) == 0)
      return (int)i;
  return -1;
}

static void add_customer(const char *name) {
  struct customer *customer = calloc(1, sizeof *customer);
  snprintf(customer->name, sizeof customer->name, "%s", name);
  customer->next = customers;
  customers = customer;
}

static void add_item(const char *name, int price) {
  if (item_count == kItems || find_item(name) >= 0)
    return;
  struct item *item = calloc(1, sizeof *item);
  item->name = strdup(name);
  item->price = price;
  items[item_count++] = item;
}

static void add_order(const char *name, const char *what, int number) {
  int item = find_item(what);
  if (item < 0 || order_count == kOrders)
    return;
  struct order *order = &orders[order_count++];
  order->customer = find_customer(name);
  order->item = items[item];
  order->number = number;
  ++report->orders;
}

static char *put(char *out, char c) {
  *out = c; // culprit: first corruption, heap_overflow
  return out + 1;
}

// What means something in the web is written out; the block is as long as the text.
static void set_note(struct item *item, const char *text) {
  free(item->note);
  item->note = malloc(strlen(text) + 1);
  char *out = item->note;
  for (; *text; ++text) {
    out = put(out, *text);
    if (*text == '&')
      for (const char *more = "amp;"; *more; ++more)
        out = put(out, *more);
  }
  put(out, '\0');
}

static void set_label(struct item *item, const char *text) {
  free(item->label);
  item->label = strdup(text);
}

static void take_label_off(struct item *item) {
  if (!item->label)
    return;
  size_t length = strlen(item->label);
  free(item->label); // culprit: first corruption, double_free
  if (length < 16)
    item->label = NULL;
}

static void discontinue(int number) {
  struct item *item = items[number];
  items[number] = NULL;
  free(item->note);
  free(item->label);
  free(item->name);
  free(item); // culprit: first corruption, use_after_free
}

static unsigned show_stops(char *const *stops, unsigned count) {
  unsigned letters = 0;
  for (unsigned i = 0; i < count; ++i)
    letters += (unsigned)strlen(stops[i]);
  return letters;
}

static void route(const char *text) {
  unsigned count = 0;
  char *stops[kStops];
  char word[16];
  for (unsigned i = 0; i < kStops; ++i)
    stops[i] = calloc(1, sizeof word);
  while (*text && count < kStops) {
    unsigned length = 0;
    for (; *text && *text != '/'; ++text)
      word[length++] = *text; // culprit: first corruption, stack_overflow
    memcpy(stops[count++], word, length < sizeof word ? length : sizeof word - 1);
    text += *text == '/';
  }
  printf("%u stops, %u letters\n", count, show_stops(stops, count));
  for (unsigned i = 0; i < kStops; ++i)
    free(stops[i]);
}

static void invoice(void) {
  for (unsigned i = 0; i < order_count; ++i) {
    struct order *order = &orders[i];
    printf("%s: %d of ", order->customer->name, order->number);
    printf("%s, %zu letters\n", order->item->name, strlen(order->item->name));
  }
  ++report->lines;
}

static void ship(void) {
  for (unsigned i = 0; i < order_count; ++i) {
    const char *name = orders[i].item->name;
    if (name[0] == '-')
      continue;
    ++orders[i].customer->shipped;
  }
}

static void bill(void) {
  for (unsigned i = 0; i < order_count; ++i) {
    struct order *order = &orders[i];
    unsigned long rebate = order->item->name[0] == 's' ? 1 : 0;
    order->customer->bought += (unsigned long)order->number * 10 - rebate;
  }
}

static int before(const struct order *a, const struct order *b) {
  int by_customer = strcmp(a->customer->name, b->customer->name);
  return by_customer ? by_customer < 0 : strcmp(a->item->name, b->item->name) < 0;
}

static void rank(void) {
  for (unsigned i = 1; i < order_count; ++i) {
    struct order order = orders[i];
    unsigned at = i;
    for (; at > 0 && before(&order, &orders[at - 1]); --at)
      orders[at] = orders[at - 1];
    orders[at] = order;
  }
}

static void list_items(void) {
  for (unsigned i = 0; i < item_count; ++i) {
    if (!items[i])
      continue;
    printf("%s %d", items[i]->name, items[i]->price);
    printf(" %s", items[i]->note ? items[i]->note : "-");
    printf(" %s\n", items[i]->label ? items[i]->label : "-");
  }
  ++report->lines;
}

static void serve(void) {
  ++clerk->served;
  printf("%s at your service\n", clerk->name);
}

static void sum(void) {
  unsigned long shipped = 0;
  for (struct customer *customer = customers; customer; customer = customer->next)
    shipped += customer->shipped + customer->bought;
  printf("%lu orders, %lu lines, %lu\n", report->orders, report->lines, shipped);
}

static void about_item(const char *verb, int number, const char *text) {
  if (number < 0)
    return;
  if (strcmp(verb, "note") == 0)
    set_note(items[number], text);
  else if (strcmp(verb, "label") == 0)
    set_label(items[number], text);
  else if (strcmp(verb, "unlabel") == 0)
    take_label_off(items[number]);
  else if (strcmp(verb, "discontinue") == 0)
    discontinue(number);
}

static void perform(char *line) {
  static const struct {
    const char *verb;
    void (*run)(void);
  } plain[] = {{"invoice", invoice},  {"ship", ship},   {"bill", bill}, {"rank", rank},
               {"items", list_items}, {"serve", serve}, {"sum", sum}};
  char verb[16] = "", first[256] = "", second[256] = "";
  int number = 1;
  if (sscanf(line, "%15s %255s %255s %d", verb, first, second, &number) < 1)
    return;
  for (unsigned i = 0; i < sizeof plain / sizeof *plain; ++i)
    if (strcmp(plain[i].verb, verb) == 0)
      plain[i].run();
  if (strcmp(verb, "depot") == 0)
    set_depot(first);
  else if (strcmp(verb, "customer") == 0)
    add_customer(first);
  else if (strcmp(verb, "item") == 0)
    add_item(first, atoi(second));
  else if (strcmp(verb, "order") == 0)
    add_order(first, second, number);
  else if (strcmp(verb, "route") == 0)
    route(first);
  else
    about_item(verb, find_item(first), second);
}

static void close_depot(void) {
  for (unsigned i = 0; i < item_count; ++i)
    if (items[i])
      discontinue((int)i);
  while (customers) {
    struct customer *next = customers->next;
    free(customers);
    customers = next;
  }
  free(report);
  free(clerk);
}

int main(int argc, char **argv) {
  static char line[kLine];
  FILE *in = argc > 1 ? fopen(argv[1], "r") : stdin;
  if (!in)
    return 2;
  report = calloc(1, sizeof *report);
  clerk = calloc(1, sizeof *clerk);
  strcpy(clerk->name, "otto");
  while (fgets(line, sizeof line, in))
    perform(line);
  close_depot();
  return 0;
}
