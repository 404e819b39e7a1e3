#include <stdio.h>
#include <stdlib.h>
int table[8] = {1, 2, 3};
int main(void) {
  int *copy = malloc(sizeof table);
  int sum = 0;
  for (int i = 0; i < 8; ++i)
    sum += copy[i] = table[i];
  free(copy);
  return !printf("%d\n", sum);
}
