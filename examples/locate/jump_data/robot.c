// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A robot with a table of moves and, behind it, what they are called. A command's number is checked
// against the number of names, of which there are more.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int x, y;

static void left(void) { --x; }
static void right(void) { ++x; }
static void up(void) { ++y; }
static void down(void) { --y; }

static struct {
  void (*move[4])(void);
  const char *name[6];
} robot = {{left, right, up, down}, {"left", "right", "up", "down", "rest", "stop"}};

static unsigned number_of(const char *word) {
  unsigned number = 0;
  while (number < 5 && strcmp(robot.name[number], word) != 0)
    ++number; // culprit: first corruption
  return number;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    unsigned number = number_of(argv[i]);
    robot.move[number]();
  }
  printf("at %d, %d\n", x, y);
  return 0;
}
