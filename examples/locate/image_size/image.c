// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes of an image are counted in 16 bits. Its pixels are written far behind the block, and
// read there, too: that is no error of its own.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct image {
  uint16_t width, height;
  uint8_t *pixels;
};

static struct image *image_new(uint16_t width, uint16_t height) {
  struct image *image = malloc(sizeof *image);
  image->width = width;
  image->height = height;
  const uint16_t bytes = (uint16_t)(width * height);
  image->pixels = malloc(bytes);
  return image;
}

static void fill(struct image *image, int colour) {
  for (int y = 0; y < image->height; y++)
    for (int x = 0; x < image->width; x++)
      image->pixels[y * image->width + x] = (uint8_t)(colour + x); // culprit: first corruption
}

static unsigned long total(const struct image *image) {
  unsigned long sum = 0;
  for (int y = 0; y < image->height; y++)
    for (int x = 0; x < image->width; x++)
      sum += image->pixels[y * image->width + x];
  return sum;
}

int main(int argc, char **argv) {
  const int size = argc > 1 ? atoi(argv[1]) : 20;
  struct image *small = image_new(20, 20);
  struct image *large = image_new((uint16_t)size, 220);
  fill(small, 1);
  fill(large, 2);
  printf("%lu %lu\n", total(small), total(large));
  free(small->pixels);
  free(small);
  free(large->pixels);
  free(large);
  return 0;
}
