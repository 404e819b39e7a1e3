// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a letter to each person named in the arguments: the salutation is made in a local array
// beside the letters to choose from.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kLetters = 2 };

struct letter {
  const char *place;
  char body[48];
};

static struct letter *archive;

static struct letter *find(int number) { return &archive[number % kLetters]; }

static unsigned write_letter(const char *person, int number) {
  struct letter *choice[kLetters];
  char salutation[24];
  for (int i = 0; i < kLetters; ++i)
    choice[i] = find(number + i);
  strcpy(salutation, "Dear ");
  strcat(salutation, person); // culprit: first corruption
  const struct letter *letter = choice[strlen(person) % kLetters];
  printf("%s\n%.23s,\n%s\n\n", letter->place, salutation, letter->body);
  return (unsigned)strlen(letter->body);
}

int main(int argc, char **argv) {
  unsigned written = 0;
  archive = calloc(kLetters, sizeof *archive);
  for (int i = 0; i < kLetters; ++i) {
    archive[i].place = i ? "Bergen" : "Oslo";
    strcpy(archive[i].body, i ? "your bill is still open." : "thank you for your order.");
  }
  for (int i = 1; i < argc; ++i)
    written += write_letter(argv[i], i);
  printf("%u characters\n", written);
  free(archive);
  return 0;
}
