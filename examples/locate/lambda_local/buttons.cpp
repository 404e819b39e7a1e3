// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buttons of a control panel, each with what is done when it is pressed. That of a counter captures
// the counter by reference, which is a local variable of the function that adds the button.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace {

struct Counter {
  int *cells;
  int size;
};

std::vector<std::function<void(int)>> buttons;

void add_counter(int size) {
  Counter counter{new int[size](), size};   // culprit: first corruption
  buttons.push_back([&counter](int which) { // culprit: the error
    ++counter.cells[which % counter.size];
    std::printf("%d: %d\n", which, counter.cells[which % counter.size]);
  });
}

void add_light() {
  buttons.push_back([](int which) { std::printf("%d: light\n", which); });
}

long press(int which) {
  long times[8];
  for (int i = 0; i < 8; ++i)
    times[i] = i * 0x123456789a + which;
  buttons[static_cast<size_t>(which) % buttons.size()](which);
  return times[which % 8];
}

} // namespace

int main(int argc, char **argv) {
  long sum = 0;
  for (int i = 1; i < argc; ++i) {
    if (argv[i][0] == 'c')
      add_counter(std::atoi(argv[i] + 1));
    else
      add_light();
  }
  for (int i = 0; i < 4 && !buttons.empty(); ++i)
    sum += press(i);
  std::printf("%ld\n", sum % 1000);
}
