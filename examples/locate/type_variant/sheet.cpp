// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A spreadsheet of one column: cells hold a number or a note. "N = NUMBER", "N : NOTE", "N", "copy
// N M". Copying copies the tag last, and an early return leaves the old one.
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

class Cell {
public:
  Cell() : is_note_(false), number_(0) {}
  void set(double number) {
    drop();
    number_ = number;
  }
  void set(const char *note) {
    drop();
    note_ = strdup(note);
    is_note_ = true;
  }
  void sum(const Cell &a, const Cell &b) {
    number_ = a.number_ + b.number_; // culprit: first corruption
  }
  void print(unsigned row) const {
    if (is_note_)
      std::printf("%u: %s\n", row, note_);
    else
      std::printf("%u: %g\n", row, number_);
  }
  ~Cell() { drop(); }

private:
  void drop() {
    if (is_note_)
      std::free(note_);
    is_note_ = false;
  }

  bool is_note_;
  union {
    double number_;
    char *note_;
  };
};

} // namespace

int main() {
  static Cell cells[32];
  char line[128], note[64];
  unsigned row = 0, a = 0, b = 0;
  double number = 0;
  while (std::fgets(line, sizeof line, stdin)) {
    if (std::sscanf(line, "sum %u %u %u", &a, &b, &row) == 3)
      cells[row % 32].sum(cells[a % 32], cells[b % 32]);
    else if (std::sscanf(line, "%u = %lf", &row, &number) == 2)
      cells[row % 32].set(number);
    else if (std::sscanf(line, "%u : %63s", &row, note) == 2)
      cells[row % 32].set(note);
    else if (std::sscanf(line, "%u", &row) == 1)
      cells[row % 32].print(row % 32);
  }
  return 0;
}
