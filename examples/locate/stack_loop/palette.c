// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the palette of a picture, as a bitmap has it: the number of colours, then as many colours,
// then pixels, each of which is drawn with its colour on one of two layers. The number is believed.
#include <stdio.h>
#include <stdlib.h>

enum { kColours = 16, kLayers = 2 };

struct layer {
  unsigned drawn;
  unsigned char pixels[64];
};

static int show(FILE *in) {
  struct layer *layers[kLayers];
  unsigned palette[kColours];
  unsigned colours = 0, pixel, drawn = 0;
  for (int i = 0; i < kLayers; ++i)
    layers[i] = calloc(1, sizeof **layers);
  if (fscanf(in, "%u", &colours) != 1)
    return 2;
  for (unsigned i = 0; i < colours; ++i) {
    if (fscanf(in, "%u", &palette[i]) != 1) // culprit: first corruption
      break;
  }
  while (fscanf(in, "%u", &pixel) == 1) {
    struct layer *layer = layers[pixel % kLayers];
    layer->pixels[layer->drawn++ % 64] = (unsigned char)(palette[pixel % kColours] >> 8);
    putchar('0' + (int)(palette[pixel % kColours] % 10));
    ++drawn;
  }
  printf("\n%u pixels\n", drawn);
  for (int i = 0; i < kLayers; ++i)
    free(layers[i]);
  return 0;
}

int main(void) { return show(stdin); }
