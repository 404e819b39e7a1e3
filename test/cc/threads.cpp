// Threads, thread-local variables with constructors and destructors, atomics, and a position-dependent build.
// RUN: rm -rf %t && mkdir %t && cp %s %t/a.cpp && cd %t && %roundtrip '$CXX -O2 -pthread a.cpp -o prog'
// RUN: rm -rf %t && mkdir %t && cp %s %t/a.cpp && cd %t && %roundtrip '$CXX -O2 -pthread -no-pie -fno-pie a.cpp -o prog'
// RUN: rm -rf %t && mkdir %t && cp %s %t/a.cpp && cd %t && %roundtrip '$CXX -O2 -pthread -pie -fPIE a.cpp -o prog'
#include <atomic>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>
static std::atomic<int> destroyed;
struct Counter {
  std::string text = "count";
  int value = 0;
  ~Counter() { destroyed += value; }
};
static thread_local Counter counter;
int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([i] {
      for (int k = 0; k < 1000; ++k)
        counter.value += static_cast<int>(std::string(static_cast<size_t>(k % 50), 'x').size() > 10) + i;
    });
  for (auto &thread : threads)
    thread.join();
  std::printf("%d %s\n", destroyed.load(), counter.text.c_str());
}
