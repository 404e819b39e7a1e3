// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "relay.h"

#include <stddef.h>

static void plug(struct lamp **lines, struct lamp *lamps, int count) {
  for (int i = 0; i < count; ++i)
    lines[(lamps[i].label[0] - 'a') % kLines] = &lamps[i];
}

int variety(const char *melody) {
  char sorted[kMelody];
  int length = 0, different = 0;
  for (; melody[length] && length < kMelody; ++length) {
    int at = length;
    for (; at > 0 && sorted[at - 1] > melody[length]; --at)
      sorted[at] = sorted[at - 1];
    sorted[at] = melody[length];
  }
  for (int i = 0; i < length; ++i)
    different += i == 0 || sorted[i] != sorted[i - 1];
  return different;
}

int play(struct lamp *lamps, int count, const char *melody) {
  struct lamp *lines[kLines]; // culprit: first corruption
  int lit = 0;
  plug(lines, lamps, count);
  for (; *melody; ++melody) {
    struct lamp *lamp = lines[(*melody - 'a') % kLines]; // culprit: also right
    if (lamp == NULL || lamp->on)
      continue;
    lamp->on = 1;
    ++lit;
  }
  return lit;
}
