// A static C++ program keeps its exceptions, a failing operator new among them, under the runtime's allocator.
// RUN: rm -rf %t && mkdir %t && cp %s %t/a.cpp && cd %t && %roundtrip '$CXX -O2 -static a.cpp -o prog'
#include <cstdio>
#include <new>
#include <vector>
int main(int argc, char **) {
  try {
    std::vector<char> huge(static_cast<std::size_t>(-1) / 4 - static_cast<std::size_t>(argc));
    std::puts("allocated");
  } catch (const std::bad_alloc &) {
    std::puts("bad_alloc");
  }
}
