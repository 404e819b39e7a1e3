// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures that own their pixels. The class has a destructor, but nobody wrote how to copy it.
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

class Picture {
public:
  explicit Picture(unsigned side) : side_(side), pixels_(new unsigned char[side * side]) {
    std::memset(pixels_, 7, side * side);
  }
  ~Picture() {
    delete[] pixels_; // culprit: first corruption
  }
  unsigned bright() const {
    unsigned sum = 0;
    for (unsigned i = 0; i < side_ * side_; ++i)
      sum += pixels_[i];
    return sum;
  }

private:
  unsigned side_;
  unsigned char *pixels_;
};

unsigned bright_by_value(Picture picture) { return picture.bright(); }
unsigned bright_by_name(const Picture &picture) { return picture.bright(); }

} // namespace

int main(int argc, char **argv) {
  Picture picture(argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 4);
  const bool copies = argc > 2;
  std::printf("%u\n", copies ? bright_by_value(picture) : bright_by_name(picture));
  return 0;
}
