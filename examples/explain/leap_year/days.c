// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrong branch. The number of a day in its year; the years that can be divided by 400 were
// forgotten.
#include <stdio.h>
#include <stdlib.h>

struct date {
  int year, month, day;
};

static int parse(const char *text, struct date *date) {
  return sscanf(text, "%d-%d-%d", &date->year, &date->month, &date->day) == 3 ? 0 : -1;
}

static int is_leap(int year) {
  int leap = 0;
  if (year % 4 == 0)
    leap = 1;
  if (year % 100 == 0)
    leap = 0; // culprit: cause leap
  return leap;
}

static int days_in(int month, int year) {
  static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (month == 2 && is_leap(year))
    return 29;
  return days[month - 1];
}

static int number_of(const struct date *date) {
  int total = 0;
  for (int month = 1; month < date->month; month++)
    total += days_in(month, date->year);
  return total + date->day;
}

int main(int argc, char **argv) {
  struct date date;
  if (argc < 2 || parse(argv[1], &date) != 0) {
    fprintf(stderr, "a date is needed\n");
    return 2;
  }
  printf("day %d\n", number_of(&date));
  return 0;
}
