// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scales a recipe for so many guests (the argument): "for N" says how many people it is for, then
// "AMOUNT WHAT" lines; "drop N" takes the first N ingredients out again. The amounts are kept
// beside the number of people.
#include <stdio.h>
#include <stdlib.h>

enum { kIngredients = 8 };

int amounts[kIngredients] = {0};
int people = 0;
int count = 0;

static void drop(int number) {
  for (int i = 0; i < number; ++i)
    amounts[i] = 0; // culprit: first corruption
}

static int scaled(int amount, int guests) { return amount * guests / people; }

int main(int argc, char **argv) {
  static char names[kIngredients][32];
  char line[128], what[32];
  int number;
  people = 4;
  int guests = argc > 1 ? atoi(argv[1]) : 4;
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "for %d", &number) == 1 && number > 0) {
      people = number;
    } else if (sscanf(line, "drop %d", &number) == 1) {
      drop(number);
    } else if (sscanf(line, "%d %31s", &number, what) == 2 && count < kIngredients) {
      snprintf(names[count], sizeof names[count], "%s", what);
      amounts[count++] = number;
    }
  }
  for (int i = 0; i < count; ++i)
    if (amounts[i] || i == count - 1)
      printf("%d %s\n", scaled(amounts[i], guests), names[i]);
  return 0;
}
