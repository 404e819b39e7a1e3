// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seats guests: each line of standard input is a name and a row. The row is believed.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr int kWidth = 10;

struct Guest {
  std::string name;
  int row;
};

char g_hall[20 * kWidth];

std::unique_ptr<Guest> read(std::istream &in) {
  std::unique_ptr<Guest> guest(new Guest);
  if (!(in >> guest->name))
    return nullptr;
  if (!(in >> guest->row)) // culprit: first corruption
    return nullptr;
  return guest;
}

} // namespace

int main() {
  std::vector<std::unique_ptr<Guest>> guests;
  while (auto guest = read(std::cin))
    guests.push_back(std::move(guest));
  for (const auto &guest : guests)
    g_hall[guest->row * kWidth] = guest->name[0];
  for (int row = 0; row < 20; ++row)
    if (g_hall[row * kWidth] != 0)
      std::cout << row << ": " << g_hall[row * kWidth] << '\n';
  return 0;
}
