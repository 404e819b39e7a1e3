// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sells seats of a row: each line of the input is a name and a number of seats. The row is looked
// over after each sale, by one condition of several parts. A name may be longer than there is room.
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

namespace {

struct Row {
  char last[12];
  int free;
  int sold;
  int seats;
};

void sell(Row &row, const char *name, int seats) {
  row.free -= seats;
  row.sold += seats;
  std::strcpy(row.last, name); // culprit: first corruption
}

bool is_sound(const Row &row) {
  return row.sold >= 0 && row.free >= 0 && row.free + row.sold == row.seats;
}

void look_over(const Row *row) {
  if (row == nullptr || !is_sound(*row) || (row->sold == 0 && row->seats > 0))
    throw std::runtime_error("the row of " + std::string(row->last) + " is not sound");
}

} // namespace

int main() {
  static Row row{"", 40, 0, 40};
  char name[64];
  int seats = 0;
  while (std::scanf("%63s %d", name, &seats) == 2) {
    sell(row, name, seats);
    look_over(&row);
  }
  std::printf("%d free, %d sold\n", row.free, row.sold);
}
