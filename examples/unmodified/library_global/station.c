// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A measuring station of up to seven channels. The input, one command a line:
//   channels N         how many are in use from now on
//   percent P          scale their gains (by a library)
//   sample C VALUE     a measured value: counted, and an alarm if it is too high
//   level VALUE        what is too high
// With all seven in use the library scales one channel too many, which is the alarm level: no more
// alarms, or too many. It is valid memory, and nothing crashes.
#include "gains.h"

#include <stdio.h>
#include <string.h>

enum { kChannels = 7 };

int gains[kChannels] = {100, 100, 100, 100, 100, 100, 100};
int alarm_level = 5000;
int alarms;
static int used = 4;
static long sums[kChannels];
static long counts[kChannels];

static void sample(int channel, int value) {
  int scaled = value * gains[channel] / 100;
  sums[channel] += scaled;
  ++counts[channel];
  if (scaled > alarm_level)
    ++alarms;
}

int main(int argc, char **argv) {
  FILE *script = argc > 1 ? fopen(argv[1], "r") : stdin;
  char command[16];
  int first;
  int second;
  if (!script)
    return 2;
  while (fscanf(script, "%15s %d", command, &first) == 2) {
    if (!strcmp(command, "channels") && first > 0 && first <= kChannels)
      used = first;
    else if (!strcmp(command, "percent"))
      scale_gains(gains, used, first);
    else if (!strcmp(command, "level"))
      alarm_level = first;
    else if (!strcmp(command, "sample") && fscanf(script, "%d", &second) == 1)
      sample((unsigned)first % kChannels, second);
  }
  for (int i = 0; i < kChannels; ++i)
    printf("%d: %ld in %ld\n", i, sums[i], counts[i]);
  printf("%d alarms\n", alarms);
  return 0;
}
