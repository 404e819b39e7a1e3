// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory map of a machine that boots: three tables of regions as the firmware tells them (what
// there is, what the firmware itself has taken, what is available). Rows of no bytes mean nothing.
// Each table is linked to a list and numbered; then memory is asked for and given back. Input:
//   total START BYTES / taken START BYTES / available START BYTES     rows of the tables
//   boot                          link the tables
//   want BYTES                    from the first available region that has as much
//   back START                    the region that begins there is given back
//   show                          the three lists
// As in the program it is modelled on, the code that links a table was written once and copied.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kRows = 48, kPage = 4096 };

struct region {
  unsigned long start;
  unsigned long bytes;
  struct region *next;
  unsigned order; // place in the list
  int node;
};

static struct region total[kRows];
static struct region taken[kRows];
static struct region available[kRows];
static unsigned total_rows, taken_rows, available_rows;
static unsigned long wanted, refused;

static int by_start(const void *left, const void *right) {
  const struct region *a = left, *b = right;
  return a->start < b->start ? -1 : a->start > b->start;
}

static int node_of(unsigned long start) { return (int)(start >> 30 & 3); }

static void link_total(void) {
  unsigned order = 0;
  qsort(total, total_rows, sizeof *total, by_start);
  for (unsigned i = 0; i + 1 < total_rows; ++i)
    total[i].next = &total[i + 1];
  total[total_rows ? total_rows - 1 : 0].next = NULL;
  for (unsigned i = total_rows; i-- > 1;)
    if (total[i].bytes == 0) // the list goes around it
      total[i - 1].next = total[i].next;
  for (struct region *region = &total[0]; region; region = region->next) {
    region->order = order++;
    region->node = node_of(region->start);
  }
}

static void link_taken(void) {
  unsigned order = 0;
  qsort(taken, taken_rows, sizeof *taken, by_start);
  for (unsigned i = 0; i + 1 < taken_rows; ++i)
    taken[i].next = &taken[i + 1];
  taken[taken_rows ? taken_rows - 1 : 0].next = NULL;
  for (unsigned i = taken_rows; i-- > 1;)
    if (taken[i].bytes == 0) // the list goes around it
#ifdef FIXED
      taken[i - 1].next = taken[i].next;
#else
      taken[i - 1].next = total[i].next; // guilty: link_taken was copied, and one name stayed
#endif
  for (struct region *region = &taken[0]; region; region = region->next) {
    region->order = order++;
    region->node = node_of(region->start);
  }
}

static void link_available(void) {
  unsigned order = 0;
  qsort(available, available_rows, sizeof *available, by_start);
  for (unsigned i = 0; i + 1 < available_rows; ++i)
    available[i].next = &available[i + 1];
  available[available_rows ? available_rows - 1 : 0].next = NULL;
  for (unsigned i = available_rows; i-- > 1;)
    if (available[i].bytes == 0) // the list goes around it
      available[i - 1].next = available[i].next;
  for (struct region *region = &available[0]; region; region = region->next) {
    region->order = order++;
    region->node = node_of(region->start);
  }
}

static void add(struct region *table, unsigned *rows, const char *start, const char *bytes) {
  if (*rows == kRows || !start || !bytes) {
    ++refused;
    return;
  }
  struct region *region = &table[(*rows)++];
  region->start = strtoul(start, NULL, 16);
  region->bytes = strtoul(bytes, NULL, 16) & ~(kPage - 1ul);
  region->next = NULL;
}

// Takes it from the end of a region and tells where it begins.
static void want(unsigned long bytes) {
  bytes = (bytes + kPage - 1) & ~(kPage - 1ul);
  ++wanted;
  for (struct region *region = &available[0]; region; region = region->next) {
    if (region->bytes < bytes + kPage)
      continue;
    region->bytes -= bytes;
    printf("%lx bytes at %lx\n", bytes, region->start + region->bytes);
    add(taken, &taken_rows, "0", "0");
    struct region *row = &taken[taken_rows - 1];
    row->start = region->start + region->bytes;
    row->bytes = bytes;
    link_taken();
    return;
  }
  ++refused;
}

static void give_back(unsigned long start) {
  for (unsigned i = 0; i < taken_rows; ++i) {
    if (taken[i].start != start || taken[i].bytes == 0)
      continue;
    for (struct region *region = &available[0]; region; region = region->next)
      if (region->start + region->bytes == start) {
        region->bytes += taken[i].bytes;
        memmove(&taken[i], &taken[i + 1], (--taken_rows - i) * sizeof *taken);
        link_taken();
        return;
      }
  }
  ++refused;
}

static void show(const char *title, const struct region *list) {
  for (unsigned long bytes = 0; list; list = list->next) {
    bytes += list->bytes;
    printf("%s %u: %lx + %lx, node %d, %lx together\n", title, list->order, list->start,
           list->bytes, list->node, bytes);
  }
}

static void obey(char *line) {
  char *command = strtok(line, " \n");
  char *first = strtok(NULL, " \n");
  char *second = strtok(NULL, " \n");
  if (!command)
    return;
  if (strcmp(command, "total") == 0) {
    add(total, &total_rows, first, second);
  } else if (strcmp(command, "taken") == 0) {
    add(taken, &taken_rows, first, second);
  } else if (strcmp(command, "available") == 0) {
    add(available, &available_rows, first, second);
  } else if (strcmp(command, "boot") == 0) {
    link_total();
    link_taken();
    link_available();
  } else if (strcmp(command, "want") == 0 && first && taken_rows < kRows) {
    want(strtoul(first, NULL, 16));
  } else if (strcmp(command, "back") == 0 && first) {
    give_back(strtoul(first, NULL, 16));
  } else if (strcmp(command, "show") == 0) {
    show("total", total);
    show("taken", taken);
    show("available", available);
  } else {
    ++refused;
  }
}

int main(int argc, char **argv) {
  FILE *script = argc > 1 ? fopen(argv[1], "r") : stdin;
  char line[256];
  if (!script) {
    perror(argv[1]);
    return 2;
  }
  while (fgets(line, sizeof line, script))
    obey(line);
  fclose(script);
  printf("%u, %u and %u rows, %lu wanted, %lu refused\n", total_rows, taken_rows, available_rows,
         wanted, refused);
  return 0;
}
