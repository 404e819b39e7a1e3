// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// perimeter: the length of the border between black and white in an image held as a quad-tree,
// found with neighbour searches that climb to a common ancestor and come down mirrored (after
// Samet). Heap: one tree of quadrants with parent pointers, so inner nodes have indegree 5 and
// leaves 1; built once per picture by splitting, measured by pointer walks, freed. Arguments:
// LEVELS PICTURES. A picture is a ring, 2^LEVELS pixels wide.

#include "../program.h"
#include <stdbool.h>

typedef enum Colour { kWhite, kBlack, kGrey } Colour;
// Quadrant numbers: bit 0 is east, bit 1 is south.
typedef enum Side { kNorth, kEast, kSouth, kWest } Side;

typedef struct Quad {
  struct Quad *parent;
  struct Quad *parts[4];
  Colour colour;
  uint8_t place;
} Quad;

typedef struct Picture {
  int64_t middle_x, middle_y;
  int64_t inner_2, outer_2; // squared radii of the ring
} Picture;

static bool is_black(const Picture *picture, int64_t x, int64_t y) {
  int64_t dx = x - picture->middle_x;
  int64_t dy = y - picture->middle_y;
  int64_t distance_2 = dx * dx + dy * dy;
  return distance_2 >= picture->inner_2 && distance_2 < picture->outer_2;
}

static int64_t clamp(int64_t value, int64_t low, int64_t high) {
  return value < low ? low : value > high ? high : value;
}

// The colour of a whole square if its nearest and farthest pixel from the middle settle it.
static Colour colour_of(const Picture *picture, int64_t x, int64_t y, int64_t width) {
  if (width == 1)
    return is_black(picture, x, y) ? kBlack : kWhite;
  int64_t near_x = clamp(picture->middle_x, x, x + width - 1) - picture->middle_x;
  int64_t near_y = clamp(picture->middle_y, y, y + width - 1) - picture->middle_y;
  int64_t left = x - picture->middle_x;
  int64_t top = y - picture->middle_y;
  int64_t right = left + width - 1;
  int64_t bottom = top + width - 1;
  int64_t far_x = left * left > right * right ? left : right;
  int64_t far_y = top * top > bottom * bottom ? top : bottom;
  int64_t nearest = near_x * near_x + near_y * near_y;
  int64_t farthest = far_x * far_x + far_y * far_y;
  if (nearest >= picture->inner_2 && farthest < picture->outer_2)
    return kBlack;
  if (farthest < picture->inner_2 || nearest >= picture->outer_2)
    return kWhite;
  return kGrey;
}

static Quad *build(const Picture *picture, Quad *parent, uint32_t place, int64_t x, int64_t y,
                   int64_t width) {
  Quad *quad = allocate_zeroed(1, sizeof(Quad));
  quad->parent = parent;
  quad->place = (uint8_t)place;
  quad->colour = colour_of(picture, x, y, width);
  if (quad->colour == kGrey) {
    int64_t half = width / 2;
    for (uint32_t i = 0; i < 4; i++)
      quad->parts[i] =
          build(picture, quad, i, x + (i & 1 ? half : 0), y + (i & 2 ? half : 0), half);
  }
  return quad;
}

static uint32_t mirrored(uint32_t place, Side side) {
  return side == kNorth || side == kSouth ? place ^ 2 : place ^ 1;
}

static bool touches(uint32_t place, Side side) {
  switch (side) {
  case kNorth:
    return !(place & 2);
  case kEast:
    return place & 1;
  case kSouth:
    return place & 2;
  case kWest:
    return !(place & 1);
  }
  return false;
}

// The neighbour on `side` that is as large as `quad`, or the larger leaf there; null off the
// picture.
static const Quad *neighbour(const Quad *quad, Side side) {
  if (!quad->parent)
    return NULL;
  const Quad *up = quad->parent;
  if (touches(quad->place, side))
    up = neighbour(up, side);
  if (!up || up->colour != kGrey)
    return up;
  return up->parts[mirrored(quad->place, side)];
}

// How much of `quad`'s edge on `side` is white; `quad` is as wide as `width`.
static int64_t white_edge(const Quad *quad, Side side, int64_t width) {
  if (quad->colour != kGrey)
    return quad->colour == kWhite ? width : 0;
  int64_t sum = 0;
  for (uint32_t i = 0; i < 4; i++)
    if (touches(i, side))
      sum += white_edge(quad->parts[i], side, width / 2);
  return sum;
}

static int64_t perimeter(const Quad *quad, int64_t width) {
  int64_t sum = 0;
  if (quad->colour == kGrey) {
    for (uint32_t i = 0; i < 4; i++)
      sum += perimeter(quad->parts[i], width / 2);
  } else if (quad->colour == kBlack) {
    for (Side side = kNorth; side <= kWest; side++) {
      const Quad *beside = neighbour(quad, side);
      Side facing = (Side)((side + 2) % 4);
      sum += beside ? white_edge(beside, facing, width) : width;
    }
  }
  return sum;
}

static uint32_t release(Quad *quad) {
  uint32_t quads = 1;
  if (quad->colour == kGrey)
    for (uint32_t i = 0; i < 4; i++)
      quads += release(quad->parts[i]);
  free(quad);
  return quads;
}

int main(int argc, char **argv) {
  const char *usage = "LEVELS PICTURES";
  uint32_t levels = size_argument(argc, argv, 1, usage);
  uint32_t pictures = size_argument(argc, argv, 2, usage);
  if (levels > 20) {
    fprintf(stderr, "perimeter: at most 20 levels\n");
    return 2;
  }
  int64_t width = (int64_t)1 << levels;
  uint64_t quads = 0;
  uint64_t checksum = 0;
  int64_t total = 0;
  for (uint32_t i = 0; i < pictures; i++) {
    int64_t outer = width / 2 - width / 16 + i;
    int64_t inner = width / 4 + i;
    Picture picture = {width / 2, width / 2 - i, inner * inner, outer * outer};
    Quad *root = build(&picture, NULL, 0, 0, 0, width);
    int64_t length = perimeter(root, width);
    total += length;
    checksum = mix(checksum, (uint64_t)length);
    quads += release(root);
  }
  printf("perimeter width %lld quads %llu length %lld checksum %016llx\n", (long long)width,
         (unsigned long long)quads, (long long)total, (unsigned long long)checksum);
  return 0;
}
