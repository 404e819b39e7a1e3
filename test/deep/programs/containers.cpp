// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C++ library's containers, threads, exceptions, and blocks that change their owner.
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

std::map<std::string, int> words;
std::vector<long> grown;
std::list<std::unique_ptr<double>> owned;
long sums[4];
std::mutex lock;

static void work(int number) {
  for (int i = 0; i < 2000; ++i) {
    std::lock_guard held(lock);
    sums[number] += i;
  }
}

int main() {
  for (int i = 0; i < 3000; ++i) {
    ++words["word" + std::to_string(i % 97)];
    grown.push_back(i);
    owned.push_back(std::make_unique<double>(i));
    if (i % 3 == 0)
      owned.pop_front();
    try {
      if (i % 500 == 0)
        throw std::runtime_error("now and then");
    } catch (const std::exception &error) {
      words[error.what()] = i;
    }
  }
  // One after the other: the order of two threads is not the tool's to fix.
  for (int i = 0; i < 4; ++i)
    std::thread(work, i).join();
  std::cout << words.size() << ' ' << owned.size() << ' ' << sums[3] << '\n';
}
