// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// anagram: makes a dictionary of words from syllables, groups words of equal letters, and finds
// every set of words that together use exactly the letters of a phrase. Heap: a hash table of
// classes, each with a list of words whose text is a block of its own; per phrase a candidate array
// that grows by realloc, and a copy of the shrinking rest per search level. Arguments: WORDS
// PHRASES.

#include "../program.h"
#include <stdbool.h>
#include <string.h>

enum { kLetters = 26, kBuckets = 1 << 12, kMostWords = 4 };

typedef struct Counts {
  uint8_t of[kLetters];
  uint8_t total;
} Counts;

typedef struct Word {
  struct Word *next;
  char *text;
} Word;

typedef struct Class {
  struct Class *next;
  Counts counts;
  uint32_t letters; // one bit for each letter present
  uint32_t words;
  Word *first;
} Class;

typedef struct Candidates {
  Class **classes;
  size_t count;
  size_t capacity;
} Candidates;

static const char *const kSyllables[] = {"a",   "be",  "co",  "da",  "el",  "fi",  "go",  "ha",
                                         "in",  "jo",  "ka",  "le",  "mo",  "ne",  "or",  "pa",
                                         "re",  "st",  "ti",  "us",  "ve",  "wa",  "ye",  "zo",
                                         "ran", "ter", "sol", "lin", "men", "dis", "tor", "nal"};

static char *make_word(Random *random, uint32_t syllables) {
  char text[32] = "";
  for (uint32_t i = 0; i < syllables; i++)
    strcat(text, kSyllables[random_below(random, sizeof kSyllables / sizeof *kSyllables)]);
  char *word = allocate(strlen(text) + 1);
  strcpy(word, text);
  return word;
}

static void count_letters(Counts *counts, const char *text) {
  for (; *text; text++) {
    counts->of[*text - 'a']++;
    counts->total++;
  }
}

static uint32_t letter_bits(const Counts *counts) {
  uint32_t bits = 0;
  for (int i = 0; i < kLetters; i++)
    bits |= (uint32_t)(counts->of[i] > 0) << i;
  return bits;
}

static Class **bucket_of(Class **buckets, const Counts *counts) {
  uint64_t hash = 0;
  for (int i = 0; i < kLetters; i++)
    hash = mix(hash, counts->of[i]);
  return &buckets[hash % kBuckets];
}

static bool add_word(Class **buckets, char *text) {
  Counts counts = {0};
  count_letters(&counts, text);
  Class **bucket = bucket_of(buckets, &counts);
  Class *group = *bucket;
  while (group && memcmp(&group->counts, &counts, sizeof counts) != 0)
    group = group->next;
  if (!group) {
    group = allocate_zeroed(1, sizeof(Class));
    group->counts = counts;
    group->letters = letter_bits(&counts);
    group->next = *bucket;
    *bucket = group;
  }
  for (const Word *word = group->first; word; word = word->next)
    if (strcmp(word->text, text) == 0)
      return false;
  Word *word = allocate(sizeof(Word));
  word->text = text;
  word->next = group->first;
  group->first = word;
  group->words++;
  return true;
}

static bool fits(const Counts *small, const Counts *large) {
  for (int i = 0; i < kLetters; i++)
    if (small->of[i] > large->of[i])
      return false;
  return true;
}

static Candidates candidates_for(Class **buckets, const Counts *phrase) {
  Candidates found = {0};
  uint32_t bits = letter_bits(phrase);
  for (size_t i = 0; i < kBuckets; i++) {
    for (Class *group = buckets[i]; group; group = group->next) {
      if ((group->letters & ~bits) || !fits(&group->counts, phrase))
        continue;
      if (found.count == found.capacity) {
        found.capacity = found.capacity ? found.capacity * 2 : 4;
        Class **larger = realloc(found.classes, found.capacity * sizeof(Class *));
        if (!larger)
          abort();
        found.classes = larger;
      }
      found.classes[found.count++] = group;
    }
  }
  return found;
}

// Sets of words, not sequences: a class is only combined with itself and those behind it. `ways`
// counts the choices of words within the classes taken so far.
static void search(const Candidates *all, size_t from, const Counts *rest, uint32_t depth,
                   uint64_t ways, uint64_t *found, uint64_t *checksum) {
  if (rest->total == 0) {
    *found += ways;
    *checksum = mix(*checksum, ways * 31 + depth);
    return;
  }
  if (depth == kMostWords)
    return;
  uint32_t bits = letter_bits(rest);
  // On the heap although the stack would do: this is the short-lived object of the program.
  Counts *smaller = allocate(sizeof(Counts));
  for (size_t i = from; i < all->count; i++) {
    const Class *group = all->classes[i];
    if ((group->letters & ~bits) || !fits(&group->counts, rest))
      continue;
    for (int j = 0; j < kLetters; j++)
      smaller->of[j] = (uint8_t)(rest->of[j] - group->counts.of[j]);
    smaller->total = (uint8_t)(rest->total - group->counts.total);
    search(all, i, smaller, depth + 1, ways * group->words, found, checksum);
  }
  free(smaller);
}

int main(int argc, char **argv) {
  const char *usage = "WORDS PHRASES";
  uint32_t words = size_argument(argc, argv, 1, usage);
  uint32_t phrases = size_argument(argc, argv, 2, usage);
  Random random = {words};
  Class **buckets = allocate_zeroed(kBuckets, sizeof(Class *));
  uint32_t kept = 0;
  for (uint32_t i = 0; i < words; i++) {
    char *text = make_word(&random, 1 + random_below(&random, 5));
    if (add_word(buckets, text))
      kept++;
    else
      free(text);
  }
  uint64_t found = 0;
  uint64_t checksum = 0;
  for (uint32_t i = 0; i < phrases; i++) {
    Counts phrase = {0};
    for (int part = 0; part < 3; part++) {
      char *text = make_word(&random, 2);
      count_letters(&phrase, text);
      free(text);
    }
    Candidates candidates = candidates_for(buckets, &phrase);
    search(&candidates, 0, &phrase, 0, 1, &found, &checksum);
    free(candidates.classes);
  }
  uint32_t classes = 0;
  for (size_t i = 0; i < kBuckets; i++) {
    while (buckets[i]) {
      Class *group = buckets[i];
      buckets[i] = group->next;
      while (group->first) {
        Word *word = group->first;
        group->first = word->next;
        free(word->text);
        free(word);
      }
      free(group);
      classes++;
    }
  }
  free(buckets);
  printf("anagram words %u classes %u phrases %u anagrams %llu checksum %016llx\n", kept, classes,
         phrases, (unsigned long long)found, (unsigned long long)checksum);
  return 0;
}
