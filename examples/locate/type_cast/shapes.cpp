// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes of a drawing: "circle R", "square A", "text WORD", "grow". What is drawn last is grown as
// if it were a text.
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

namespace {

struct Shape {
  explicit Shape(char kind) : kind(kind) {}
  virtual ~Shape() = default;
  virtual double area() const = 0;
  char kind;
};

struct Circle : Shape {
  explicit Circle(double radius) : Shape('c'), radius(radius) {}
  double area() const override { return 3.14159 * radius * radius; }
  double radius;
};

struct Square : Shape {
  explicit Square(double side) : Shape('s') {
    covered = side * side; // culprit: also right
  }
  double area() const override { return covered; }
  double covered;
};

struct Text : Shape {
  explicit Text(const char *word) : Shape('t'), word(word) {}
  double area() const override { return 2.0 * static_cast<double>(std::strlen(word)); }
  const char *word;
};

class Drawing {
public:
  void add(std::unique_ptr<Shape> shape) { shapes_.push_back(std::move(shape)); }
  void grow() {
    if (shapes_.empty())
      return;
    Shape *last = shapes_.back().get();
    if (last->kind == 'c') {
      static_cast<Circle *>(last)->radius *= 2;
    } else {
      auto *text = static_cast<Text *>(last); // culprit: first corruption
      marked_ += text->word[0] == 'T' ? 2 : 1;
    }
  }
  double area() const {
    double sum = 0;
    for (const auto &shape : shapes_)
      sum += shape->area();
    return sum + marked_;
  }

private:
  std::vector<std::unique_ptr<Shape>> shapes_;
  int marked_ = 0;
};

} // namespace

int main() {
  static char words[32][32];
  unsigned used = 0;
  Drawing drawing;
  char line[128];
  double size = 0;
  while (std::fgets(line, sizeof line, stdin)) {
    if (std::sscanf(line, "circle %lf", &size) == 1)
      drawing.add(std::make_unique<Circle>(size));
    else if (std::sscanf(line, "square %lf", &size) == 1)
      drawing.add(std::make_unique<Square>(size));
    else if (std::sscanf(line, "text %31s", words[used % 32]) == 1)
      drawing.add(std::make_unique<Text>(words[used++ % 32]));
    else if (std::strncmp(line, "grow", 4) == 0)
      drawing.grow();
  }
  std::printf("%.2f\n", drawing.area());
  return 0;
}
