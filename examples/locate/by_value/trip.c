// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans trips: a trip is a struct that is passed and returned by value, with the vehicle it is made
// with. "trip TOWN VEHICLE", "note TEXT". The note runs over the vehicle of the trip that is kept.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vehicle {
  const char *name;
  int speed;
};

struct trip {
  char town[24];
  char note[16];
  struct vehicle *vehicle;
  int distance;
};

static struct vehicle vehicles[] = {{"bicycle", 15}, {"train", 80}, {"ferry", 30}};
static unsigned planned;

static struct trip make(const char *town, const char *vehicle) {
  struct trip trip = {.note = "none", .vehicle = &vehicles[0]};
  snprintf(trip.town, sizeof trip.town, "%s", town);
  for (unsigned i = 0; i < sizeof vehicles / sizeof *vehicles; ++i)
    if (strcmp(vehicles[i].name, vehicle) == 0)
      trip.vehicle = &vehicles[i];
  trip.distance = 10 * (int)strlen(town);
  ++planned;
  return trip;
}

static struct trip with_note(struct trip trip, const char *note) {
  strcpy(trip.note, note); // culprit: first corruption
  return trip;
}

static struct trip longer(struct trip trip, int by) {
  trip.distance += by;
  return trip;
}

static int minutes(struct trip trip) { return trip.distance * 60 / trip.vehicle->speed; }

int main(void) {
  char line[128], town[64], word[64];
  struct trip trip = make("home", "bicycle");
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "trip %63s %63s", town, word) == 2)
      trip = make(town, word);
    else if (sscanf(line, "note %63s", word) == 1)
      trip = with_note(trip, word);
    else if (strncmp(line, "go", 2) == 0)
      printf("%s by %s\n", trip.town, minutes(longer(trip, 20)) > 60 ? "an early start" : "noon");
  }
  printf("%u trips\n", planned);
  return 0;
}
