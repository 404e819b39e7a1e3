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
  int spare[8] = {count};
  std::string name(20, 'x');
  int used[4] = {1, 2, 3, 4};
  Recent recent;
  for (int i = 0; i < count; ++i)
    recent.add(i * 3);
  return recent.last() + static_cast<int>(name.size()) + used[count % 4] + spare[count % 8];
}

} // namespace

int main(int argc, char **) {
  std::printf("%d\n", replay(argc + 6));
  return 0;
}
