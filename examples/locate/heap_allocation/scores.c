// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scores of a competition: reads "NAME POINTS" lines, keeps a table of players and one of pointers
// into it, sorted by points. The table of pointers is made for ints.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct player {
  char name[24];
  int points;
};

static struct player *players;
static int count, room;

static void add(const char *name, int points) {
  if (count == room) {
    room = room ? 2 * room : 8;
    players = realloc(players, (size_t)room * sizeof *players);
  }
  snprintf(players[count].name, sizeof players[count].name, "%s", name);
  players[count++].points = points;
}

static struct player **ranking(void) {
  struct player **rank = malloc((size_t)count * sizeof(int)); // culprit: also right
  for (int i = 0; i < count; ++i) {
    int at = i;
    while (at > 0 && rank[at - 1]->points < players[i].points) {
      rank[at] = rank[at - 1]; // culprit: also right
      --at;
    }
    rank[at] = &players[i]; // culprit: first corruption
  }
  return rank;
}

int main(void) {
  char name[64];
  int points;
  while (scanf("%63s %d", name, &points) == 2)
    add(name, points);
  if (count < 2) {
    printf("%d player, no ranking\n", count);
    free(players);
    return 0;
  }
  struct player **rank = ranking();
  char *title = malloc(40);
  snprintf(title, 40, "ranking of %d players", count);
  puts(title);
  for (int i = 0; i < count; ++i)
    printf("%2d. %-24s %d\n", i + 1, rank[i]->name, rank[i]->points);
  free(title);
  free(rank);
  free(players);
  return 0;
}
