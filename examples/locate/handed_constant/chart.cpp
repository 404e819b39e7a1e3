// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sheets of numbers in one array: each line of the input goes so many sheets forth or back, and
// prints three columns of where that is. Nothing keeps it inside. The columns are constants.
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int kColumns = 8;
constexpr int kSheets = 4;

struct Sheet {
  long id;
  int column[kColumns];

  int at(int number) const { return column[number]; }
};

Sheet sheets[kSheets];
Sheet *shown = sheets;

void go(long by) {
  shown = shown + by; // culprit: first corruption
}

} // namespace

int main() {
  for (int i = 0; i < kSheets; ++i)
    for (int j = 0; j < kColumns; ++j)
      sheets[i].column[j] = i * j;
  long by = 0;
  while (std::scanf("%ld", &by) == 1) {
    go(by);
    std::printf("%d %d %d\n", shown->at(1), shown->at(3), shown->at(7));
  }
}
