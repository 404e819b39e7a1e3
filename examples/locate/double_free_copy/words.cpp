// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the words of lines. A line is a class of ours that owns its text; the longest line is
// handed on by value. It has a destructor and no copy constructor.
#include <cstdio>
#include <cstring>

namespace {

class Line {
public:
  explicit Line(const char *text) : length_(std::strlen(text)), text_(new char[length_ + 1]) {
    std::memcpy(text_, text, length_ + 1);
  }
  ~Line() {
    delete[] text_; // culprit: first corruption
  }
  std::size_t length() const { return length_; }
  unsigned words() const {
    unsigned count = 0;
    bool inside = false;
    for (const char *at = text_; *at; ++at) {
      const bool letter = *at != ' ' && *at != '\n';
      count += letter && !inside;
      inside = letter;
    }
    return count;
  }

private:
  std::size_t length_;
  char *text_;
};

struct Sum {
  unsigned lines = 0, words = 0, longest = 0;
};

void remember(Sum &sum, Line line) {
  if (line.words() > sum.longest)
    sum.longest = line.words();
}

void count(Sum &sum, const char *text) {
  const Line line(text);
  ++sum.lines;
  sum.words += line.words();
  if (line.length() > 40)
    remember(sum, line); // culprit: the error
}

} // namespace

int main() {
  char text[256];
  Sum sum;
  while (std::fgets(text, sizeof text, stdin))
    count(sum, text);
  std::printf("%u lines, %u words, longest %u\n", sum.lines, sum.words, sum.longest);
  return 0;
}
