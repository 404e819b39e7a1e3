// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thumbnails: each picture is made small by a thread of its own, and the rows of the small ones are
// kept in a block whose length the header of the picture says. All of them are put on one sheet.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 16

struct picture {
  pthread_t thread;
  int said, rows; // as the header has it, and as there are
  unsigned char *thumb;
  char *caption;
};

static struct picture pictures[MOST];
static int count;

static void *shrink(void *argument) {
  struct picture *picture = argument;
  picture->thumb = malloc((size_t)picture->said); // culprit: also right
  picture->caption = malloc(24);
  snprintf(picture->caption, 24, "%d rows", picture->rows);
  for (int row = 0; row < picture->rows; ++row)             // culprit: the error
    picture->thumb[row] = (unsigned char)(128 + row % 100); // culprit: first corruption
  return NULL;
}

int main(void) {
  while (count < MOST && scanf("%d %d", &pictures[count].said, &pictures[count].rows) == 2)
    ++count;
  for (int i = 0; i < count; ++i)
    if (pthread_create(&pictures[i].thread, NULL, shrink, &pictures[i]) != 0)
      return 1;
  for (int i = 0; i < count; ++i)
    pthread_join(pictures[i].thread, NULL);
  unsigned sum = 0;
  for (int i = 0; i < count; ++i) {
    for (int row = 0; row < pictures[i].rows; ++row)
      sum += pictures[i].thumb[row];
    printf("%s\n", pictures[i].caption);
    free(pictures[i].caption);
    free(pictures[i].thumb);
  }
  printf("%d pictures, grey %u\n", count, sum);
  return 0;
}
