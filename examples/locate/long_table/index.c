// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An index of documents: a table by title that grows, and a table by number. "doc TITLE" enters
// one, "retract TITLE" takes it out again, "fill N" enters N made-up ones, "report" walks over all
// numbers. A retracted document leaves the table by title only.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct document {
  char *summary;
  unsigned number;
  char title[];
};

struct entry {
  struct entry *next;
  struct document *document;
};

static struct entry **buckets;
static unsigned bucket_count, entry_count;
static struct document **numbers;
static unsigned number_count, number_room;
static unsigned long moved;

static unsigned hash(const char *title) {
  unsigned value = 5381;
  for (; *title; ++title)
    value = value * 33 + (unsigned char)*title;
  return value;
}

static void rehash(unsigned wanted) {
  struct entry **larger = calloc(wanted, sizeof *larger);
  for (unsigned i = 0; i < bucket_count; ++i) {
    struct entry *entry = buckets[i];
    while (entry) {
      struct entry *next = entry->next;
      unsigned place = hash(entry->document->title) % wanted;
      entry->next = larger[place];
      larger[place] = entry;
      entry = next;
      ++moved;
    }
  }
  free(buckets);
  buckets = larger;
  bucket_count = wanted;
}

static void by_number(struct document *document) {
  if (number_count == number_room) {
    unsigned room = number_room ? number_room + number_room / 4 + 16 : 16;
    struct document **larger = malloc(room * sizeof *larger);
    for (unsigned i = 0; i < number_count; ++i)
      larger[i] = numbers[i];
    free(numbers);
    numbers = larger;
    number_room = room;
  }
  document->number = number_count;
  numbers[number_count++] = document;
}

static void enter(const char *title, const char *summary) {
  if (entry_count >= bucket_count)
    rehash(bucket_count + bucket_count / 4 + 8);
  struct document *document = malloc(sizeof *document + strlen(title) + 1);
  struct entry *entry = malloc(sizeof *entry);
  strcpy(document->title, title);
  document->summary = strdup(summary);
  entry->document = document;
  entry->next = buckets[hash(title) % bucket_count];
  buckets[hash(title) % bucket_count] = entry;
  ++entry_count;
  by_number(document);
}

static void retract(const char *title) {
  if (!bucket_count)
    return;
  struct entry **slot = &buckets[hash(title) % bucket_count];
  while (*slot && strcmp((*slot)->document->title, title) != 0)
    slot = &(*slot)->next;
  if (!*slot)
    return;
  struct entry *entry = *slot;
  *slot = entry->next;
  free(entry->document->summary);
  free(entry->document); // culprit: first corruption
  free(entry);
  --entry_count;
}

static void fill(unsigned count) {
  char title[32];
  for (unsigned i = 0; i < count; ++i) {
    snprintf(title, sizeof title, "made-up-%u", i);
    struct entry **before = buckets;
    enter(title, "nothing in it");
    moved += before != buckets;
  }
}

static void report(void) {
  unsigned long letters = 0;
  for (unsigned i = 0; i < number_count; ++i)
    letters += strlen(numbers[i]->summary); // culprit: the error
  printf("%u documents, %u in the index, %lu letters, %lu moved\n", number_count, entry_count,
         letters, moved);
}

int main(void) {
  char line[128], title[64];
  unsigned count;
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "doc %63s", title) == 1)
      enter(title, "a real one");
    else if (sscanf(line, "retract %63s", title) == 1)
      retract(title);
    else if (sscanf(line, "fill %u", &count) == 1)
      fill(count);
    else if (strncmp(line, "report", 6) == 0)
      report();
  }
  return 0;
}
