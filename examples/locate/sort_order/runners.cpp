// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts runners by time. The order says "not later" where it must say "earlier", so that equal ones
// are each before the other.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <vector>

namespace {

struct Runner {
  int seconds;
};

} // namespace

int main() {
  std::vector<std::unique_ptr<Runner>> own;
  std::vector<Runner *> runners;
  int seconds = 0;
  while (std::cin >> seconds) {
    own.push_back(std::make_unique<Runner>(Runner{seconds}));
    runners.push_back(own.back().get()); // culprit: also right
  }
  std::sort(runners.begin(), runners.end(), // culprit: first corruption
            [](const Runner *a, const Runner *b) { return a->seconds <= b->seconds; });
  long sum = 0;
  for (const Runner *runner : runners)
    sum += runner->seconds;
  std::printf("%zu runners, %ld seconds\n", runners.size(), sum);
  return 0;
}
