// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A class with a fixed table on the stack: one more is added than fits.
#include <cstdio>
#include <string>

namespace {

class Recent {
public:
  void add(int number) { numbers_[count_++] = number; } // culprit: first corruption
  int last() const { return numbers_[count_ - 1]; }

private:
  unsigned count_ = 0;
  int numbers_[6];
};

int replay(int count) {
  std::string name(20, 'x');
  Recent recent;
  for (int i = 0; i < count; ++i)
    recent.add(i * 3);
  return recent.last() + static_cast<int>(name.size());
}

} // namespace

int main(int argc, char **) {
  std::printf("%d\n", replay(argc + 6));
  return 0;
}
