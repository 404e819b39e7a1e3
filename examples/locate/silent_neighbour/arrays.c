// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of a calculator, in bc's way: "array", "name", "set A I VALUE", "get A I". When the table
// of arrays grows it is cleared up to the number of names, and of the block behind it only the end
// is used.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kStep = 4 };

static long **arrays;
static unsigned array_room, array_count, name_count;
static long *spare;

static void more_arrays(void) {
  long **old = arrays;
  unsigned before = array_room;
  array_room += kStep;
  arrays = malloc(array_room * sizeof *arrays);
  spare = calloc(8, sizeof *spare);
  for (unsigned i = 0; i < before; ++i)
    arrays[i] = old[i];
  for (unsigned i = before; i < name_count; ++i) // culprit: the error
    arrays[i] = NULL;                            // culprit: first corruption
  free(old);
}

static long *array(unsigned number) {
  if (number >= array_count)
    return NULL;
  if (!arrays[number])
    arrays[number] = calloc(8, sizeof(long));
  return arrays[number];
}

int main(void) {
  char line[64];
  unsigned a, i;
  long value;
  while (fgets(line, sizeof line, stdin)) {
    if (strncmp(line, "array", 5) == 0) {
      if (array_count == array_room)
        more_arrays();
      arrays[array_count++] = NULL;
    } else if (strncmp(line, "name", 4) == 0) {
      ++name_count;
    } else if (sscanf(line, "set %u %u %ld", &a, &i, &value) == 3 && array(a)) {
      array(a)[i % 8] = value;
    } else if (sscanf(line, "keep %ld", &value) == 1 && spare) {
      spare[7] = value;
    } else if (sscanf(line, "get %u %u", &a, &i) == 2 && array(a)) {
      printf("%ld\n", array(a)[i % 8]);
    }
  }
  printf("%u arrays, %u names, %ld kept\n", array_count, name_count, spare ? spare[7] : 0);
  return 0;
}
