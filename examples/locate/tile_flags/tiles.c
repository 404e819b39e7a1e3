// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of a map, each four bytes: which picture, how high, what lies on it, whether it was seen. A
// picture's number comes from the input and is not looked at; that the tile was seen is noted in
// the same word later.
#include <stdio.h>
#include <stdlib.h>

enum { kPictures = 6, kPixels = 4096 };

struct tile {
  unsigned char picture;
  unsigned char height;
  unsigned char thing;
  unsigned char seen;
};

static struct tile tiles[8];

static void paint(struct tile *tile, const char *number) {
  tile->picture = (unsigned char)atoi(number); // culprit: first corruption
}

static void raise(struct tile *tile, unsigned char by) { tile->height += by; }

static void see(struct tile *tile) { tile->seen = 1; }

static unsigned brightness(const unsigned *pixels, const struct tile *tile) {
  return pixels[tile->picture * kPixels * 16 + tile->height];
}

int main(int argc, char **argv) {
  unsigned *pixels = calloc(kPictures * 16, kPixels * sizeof *pixels);
  unsigned sum = 0;
  for (int i = 1; i < argc; i++) {
    struct tile *tile = &tiles[i % 8];
    paint(tile, argv[i]);
    raise(tile, 3);
    see(tile);
    sum += brightness(pixels, tile);
  }
  printf("%u\n", sum);
  free(pixels);
  return 0;
}
