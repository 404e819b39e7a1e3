// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds manual pages: sections are numbered shelves with an order in which they are searched.
// Tables are static. The input is a script, one command a line:
//   page SECTION NAME             there is such a page
//   order SECTION...              search these first, in this order
//   alias WORD SECTION            WORD may be said for the section
//   see SECTION NAME              this page refers to that one
//   find NAME                     where it is
//   count                         pages in each section
// As in man, a section is compared with the wrong limit before it is stored.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kSections = 32, kOrder = 16, kAliases = 24, kNames = 128, kPages = 512 };

struct alias {
  char word[12];
  int section;
};

struct page {
  const char *name;
  short section;
  unsigned short seen;
};

static int pages_in[kSections];
static int order[kOrder];
static int order_count;
static struct alias aliases[kAliases];
static int alias_count;
static unsigned char first_letters[kNames];
static unsigned references[kSections];
static struct page pages[kPages];
static int page_count;
static unsigned long found, missed, refused;

// A number or a word for it; negative if there is no such section.
static int section_of(const char *text) {
  if (isdigit((unsigned char)*text)) {
    int number = atoi(text);
#ifdef FIXED
    return number < kSections ? number : -1;
#else
    return number < (int)sizeof pages_in ? number : -1;
#endif
  }
  for (int i = 0; i < alias_count; ++i)
    if (strcmp(aliases[i].word, text) == 0)
      return aliases[i].section;
  return -1;
}

static void add_page(int section, const char *name) {
  if (section < 0 || page_count == kPages) {
    ++refused;
    return;
  }
  struct page *page = &pages[page_count++];
  page->name = strdup(name);
  page->section = (short)section;
  ++pages_in[section]; // guilty: add_page relies on a limit in bytes where elements were meant
  ++first_letters[(unsigned char)*name % kNames];
}

static void refer(int section, const char *name) {
  if (section < 0 || section >= kSections) {
    ++refused;
    return;
  }
  for (int i = 0; i < page_count; ++i)
    if (strcmp(pages[i].name, name) == 0)
      ++references[section];
}

static void set_order(char *list) {
  order_count = 0;
  for (char *word = strtok(list, " \n"); word; word = strtok(NULL, " \n")) {
    int section = section_of(word);
    if (section < 0 || order_count == kOrder)
      ++refused;
    else
      order[order_count++] = section;
  }
}

static void add_alias(const char *word, int section) {
  if (section < 0 || alias_count == kAliases || strlen(word) >= sizeof aliases->word) {
    ++refused;
    return;
  }
  strcpy(aliases[alias_count].word, word);
  aliases[alias_count++].section = section;
}

static int rank_of(const struct page *page) {
  for (int i = 0; i < order_count; ++i)
    if (order[i] == page->section)
      return i;
  return order_count + page->section;
}

static void find(const char *name) {
  struct page *best = NULL;
  if (!first_letters[(unsigned char)*name % kNames]) {
    ++missed;
    return;
  }
  for (int i = 0; i < page_count; ++i)
    if (strcmp(pages[i].name, name) == 0 && (!best || rank_of(&pages[i]) < rank_of(best)))
      best = &pages[i];
  if (!best) {
    ++missed;
    return;
  }
  ++best->seen;
  ++found;
  printf("%s(%d), seen %u times\n", best->name, best->section, best->seen);
}

static void count(void) {
  for (int i = 0; i < kSections; ++i)
    if (pages_in[i] || references[i])
      printf("%d: %d pages, %u references\n", i, pages_in[i], references[i]);
}

static void obey(char *line) {
  line[strcspn(line, "\n")] = '\0';
  if (strncmp(line, "order ", 6) == 0) {
    set_order(line + 6);
    return;
  }
  char *command = strtok(line, " ");
  char *first = strtok(NULL, " ");
  char *second = strtok(NULL, " ");
  if (!command)
    return;
  if (strcmp(command, "page") == 0 && second)
    add_page(section_of(first), second);
  else if (strcmp(command, "alias") == 0 && second)
    add_alias(first, section_of(second));
  else if (strcmp(command, "see") == 0 && second)
    refer(section_of(first), second);
  else if (strcmp(command, "find") == 0 && first)
    find(first);
  else if (strcmp(command, "count") == 0)
    count();
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
  count();
  printf("%d pages, %lu found, %lu missed, %lu refused\n", page_count, found, missed, refused);
  return 0;
}
