// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A catalogue in a file of records that is mapped into memory. The file is made first; a record
// is found by the hash of its name, which is taken modulo the size of another table.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { kRecords = 61, kOther = 509 };

struct record {
  char name[56];
  long carats;
};

static unsigned slot_of(const char *name) {
  unsigned hash = 5381;
  for (; *name; ++name)
    hash = hash * 33 + (unsigned char)*name;
  return hash % kOther; // culprit: the error
}

static struct record *open_catalogue(FILE *file) {
  static const struct record empty;
  for (int i = 0; i < kRecords; ++i)
    fwrite(&empty, sizeof empty, 1, file);
  fflush(file);
  void *map = mmap(NULL, sizeof(struct record) * kOther, PROT_READ | PROT_WRITE, MAP_SHARED,
                   fileno(file), 0);
  return map == MAP_FAILED ? NULL : map;
}

int main(int argc, char **argv) {
  FILE *file = tmpfile();
  struct record *catalogue = file ? open_catalogue(file) : NULL;
  long carats = 0;
  if (!catalogue)
    return 2;
  for (int i = 1; i < argc; ++i) {
    struct record *record = &catalogue[slot_of(argv[i])]; // culprit: first corruption
    snprintf(record->name, sizeof record->name, "%s", argv[i]);
    record->carats += i;
    carats += record->carats;
  }
  printf("%ld carats\n", carats);
  fclose(file);
  return 0;
}
