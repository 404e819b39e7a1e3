// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A queue in a ring: its end wraps one too late. What is put there is copied, and by the time that
// anybody looks, other values have been copied to the same place.
#include <stdio.h>
#include <stdlib.h>

struct ring {
  int *items;
  int capacity, head, tail, count;
};

static struct ring *ring_new(int capacity) {
  struct ring *ring = malloc(sizeof *ring);
  ring->items = malloc((size_t)capacity * sizeof *ring->items);
  ring->capacity = capacity;
  ring->head = ring->tail = ring->count = 0;
  return ring;
}

static int wrapped(const struct ring *ring, int at) { return at > ring->capacity ? 0 : at; }

static void push(struct ring *ring, int value) {
  if (ring->count == ring->capacity)
    return;
  ring->items[ring->tail] = value; // culprit: first corruption
  ring->tail = wrapped(ring, ring->tail + 1);
  ring->count++;
}

static int pop(struct ring *ring) {
  int value = ring->items[ring->head];
  ring->head = wrapped(ring, ring->head + 1);
  ring->count--;
  return value;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 2;
  struct ring *ring = ring_new(16);
  long total = 0;
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < 5; i++)
      push(ring, round * 100 + i);
    while (ring->count > 0)
      total += pop(ring);
  }
  printf("%ld\n", total);
  free(ring->items);
  free(ring);
  return 0;
}
