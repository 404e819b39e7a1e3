// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scores of words by how often their letters occur: "learn TEXT", "score TEXT", "names". Letters
// are counted by their code. A char is signed here: those of UTF-8 beyond ASCII count far in front
// of the table.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *kinds[] = {"letter", "digit", "other"};
static int kind_counts[3];
static short uses[128];

static int kind_of(char letter) {
  if (isalpha((unsigned char)letter))
    return 0;
  return isdigit((unsigned char)letter) ? 1 : 2;
}

static void learn(const char *text) {
  for (const char *at = text; *at != '\0'; ++at) {
    uses[(int)*at] += 5; // culprit: first corruption
    kind_counts[kind_of(*at)]++;
  }
}

static int score(const char *text) {
  int sum = 0;
  for (const char *at = text; *at != '\0'; ++at)
    if (*at > 0)
      sum += uses[(int)*at];
  return sum;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "learn") == 0 && i + 1 < argc)
      learn(argv[++i]);
    else if (strcmp(argv[i], "score") == 0 && i + 1 < argc)
      printf("%d\n", score(argv[++i]));
    else if (strcmp(argv[i], "names") == 0)
      for (int k = 0; k < 3; ++k)
        printf("%zu %s: %d\n", strlen(kinds[k]), kinds[k], kind_counts[k]);
  }
  return 0;
}
