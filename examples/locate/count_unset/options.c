// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a command line: "-oNAME" is the output, "-lNUMBER" a level, all others are names. One
// member of the options is never set before it is counted up.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
  const char *output;
  int level;
  int count;
  const char **names;
};

static struct options *begin(void) {
  struct options *options = malloc(sizeof *options); // culprit: first corruption
  options->output = "-";
  options->level = 1;
  return options;
}

static void read(struct options *options, int argc, char **argv) {
  options->names = malloc((size_t)argc * sizeof *options->names);
  for (int i = 1; i < argc; i++) {
    if (!strncmp(argv[i], "-o", 2))
      options->output = argv[i] + 2;
    else if (!strncmp(argv[i], "-l", 2))
      options->level = atoi(argv[i] + 2);
    else
      options->names[options->count++] = argv[i];
  }
}

int main(int argc, char **argv) {
  struct options *options = begin();
  read(options, argc, argv);
  printf("%s, level %d\n", options->output, options->level);
  free(options->names);
  free(options);
  return 0;
}
