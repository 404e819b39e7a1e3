// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A switchboard: lamps in lines, by the first letter of their label.
#ifndef RELAY_H
#define RELAY_H

enum { kLines = 12, kMelody = 200 };

struct lamp {
  const char *label;
  int on;
};

// Different letters of a melody.
int variety(const char *melody);
// Switches the lamps of a melody on; how many there were.
int play(struct lamp *lamps, int count, const char *melody);

#endif
