// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Letters and parcels of a small post office, with two errors that have nothing to do with each
// other: the street of a letter runs over the next one's stamp, and a parcel without a weight has
// no scale.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct letter {
  char street[16];
  const int *stamp;
};

static struct letter letter;
static const int stamp = 80;
static const int kilo = 1000;

static const int *scale_for(const char *weight) {
  return *weight == '-' ? NULL : &kilo; // culprit: first corruption
}

static int post_letter(const char *street) {
  letter.stamp = &stamp;
  strcpy(letter.street, street); // culprit: also right
  return *letter.stamp;
}

static int post_parcel(const char *weight) {
  const int *scale = scale_for(weight);
  return atoi(weight) * *scale;
}

int main(int argc, char **argv) {
  int sum = 0;
  for (int i = 1; i + 1 < argc; i += 2)
    sum += strcmp(argv[i], "letter") == 0 ? post_letter(argv[i + 1]) : post_parcel(argv[i + 1]);
  printf("%d\n", sum);
  return 0;
}
