// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A name that is looked up too early, in C++. Shapes are groups, circles and squares, each in a
// group that is named; a group that is defined later is not found, and its member is drawn without
// one.
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Shape {
  explicit Shape(std::string name) : name(std::move(name)) {}
  virtual ~Shape() = default;
  virtual double area() const = 0;
  std::string name;
  Shape *group = nullptr;
};

struct Group : Shape {
  Group(std::string name, double scale) : Shape(std::move(name)), scale(scale) {}
  double area() const override { return scale; }
  double scale;
};

struct Square : Shape {
  Square(std::string name, double side) : Shape(std::move(name)), side(side) {}
  double area() const override { return side * side * group->area(); } // culprit: failure
  double side;
};

struct Circle : Shape {
  Circle(std::string name, double radius) : Shape(std::move(name)), radius(radius) {}
  double area() const override { return 3 * radius * radius * group->area(); }
  double radius;
};

class Scene {
public:
  void add(const std::string &line) {
    std::istringstream words(line);
    std::string kind;
    std::string name;
    std::string group;
    double size = 0;
    words >> kind >> name >> size >> group;
    std::unique_ptr<Shape> shape;
    if (kind == "group")
      shape = std::make_unique<Group>(name, size);
    else if (kind == "square")
      shape = std::make_unique<Square>(name, size);
    else
      shape = std::make_unique<Circle>(name, size);
    shape->group = find(group); // culprit: cause group
    shapes_.push_back(std::move(shape));
  }

  double area() const {
    double sum = 0;
    for (const auto &shape : shapes_)
      sum += shape->area();
    return sum;
  }

private:
  Shape *find(const std::string &name) const {
    for (const auto &shape : shapes_)
      if (shape->name == name)
        return shape.get();
    return nullptr;
  }

  std::vector<std::unique_ptr<Shape>> shapes_;
};

} // namespace

int main(int argc, char **argv) {
  Scene scene;
  for (int i = 1; i < argc; ++i)
    scene.add(argv[i]);
  std::printf("%.1f\n", scene.area());
  return 0;
}
