// C++ with exceptions through several units' worth of library code, virtual calls, RTTI, statics with guards.
// RUN: rm -rf %t && mkdir %t && cp %s %t/a.cpp && cd %t && %roundtrip '$CXX -O2 -std=c++20 a.cpp -o prog'
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
struct Shape {
  virtual ~Shape() = default;
  virtual int sides() const = 0;
};
struct Square : virtual Shape {
  int sides() const override { return 4; }
};
static std::string &registry() {
  static std::string names = "none";
  return names;
}
static int guarded(int n) {
  try {
    if (n > 1)
      throw std::runtime_error("too many");
    std::map<int, std::string> map{{1, "one"}};
    return static_cast<int>(map.at(n).size());
  } catch (const std::out_of_range &) {
    return -1;
  }
}
int main(int argc, char **) {
  std::unique_ptr<Shape> shape = std::make_unique<Square>();
  registry() += dynamic_cast<Square *>(shape.get()) ? " square" : " other";
  std::printf("%d %d %s %d\n", shape->sides(), guarded(argc), registry().c_str(), guarded(0));
  try {
    guarded(2);
  } catch (const std::exception &error) {
    std::printf("%s\n", error.what());
  }
}
