// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An index flavour gives every block the index that the explain flavour gives it, with what is not
// needed left out or not: functions called once, by pointer, by the library, by nobody; a library
// function that calls back and then allocates; recursion that is deep before it allocates;
// exceptions, longjmp, a loop with two entries. So does the index tree.
// RUN: rm -rf %t && mkdir %t && culprit c++ -O2 %s -o %t/made && %t/made > %t/plain
// RUN: culprit flavour explain %t/made > %t/explain && culprit flavour index %t/made > %t/index
// RUN: culprit flavour index-whole %t/made > %t/whole
// RUN: env CULPRIT_RUNTIME=allocations=%t/a $(cat %t/explain) > %t/out && diff %t/plain %t/out
// RUN: env CULPRIT_RUNTIME=allocations=%t/b $(cat %t/index) > %t/out && diff %t/plain %t/out
// RUN: env CULPRIT_RUNTIME=allocations=%t/c $(cat %t/whole) > %t/out && diff %t/plain %t/out
// RUN: /usr/bin/python3 -B %S/Inputs/same_allocations.py %t/a %t/b 300
// RUN: /usr/bin/python3 -B %S/Inputs/same_allocations.py %t/a %t/c 300
// RUN: env CULPRIT_RUNTIME=tree=1:allocations=%t/t $(cat %t/index) > %t/out && diff %t/plain %t/out
// RUN: /usr/bin/python3 -B %S/Inputs/same_allocations.py %t/a %t/t 300
// RUN: culprit c++ -O2 %S/explain_points.cpp -o %t/points
// RUN: culprit flavour explain %t/points > %t/explain && culprit flavour index %t/points > %t/index
// RUN: env CULPRIT_RUNTIME=allocations=%t/d $(cat %t/explain) > %t/out
// RUN: env CULPRIT_RUNTIME=allocations=%t/e $(cat %t/index) > %t/out
// RUN: /usr/bin/python3 -B %S/Inputs/same_allocations.py %t/d %t/e 50
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <search.h>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <vector>

static std::vector<void *> held;
static void *keep(void *block) {
  held.push_back(block);
  return block;
}

static int third(int x) { return x % 7; }
int (*volatile chosen)(int) = third; // open, and called directly as well
static int by_number(const void *a, const void *b) {
  return third(*static_cast<const int *>(a)) - third(*static_cast<const int *>(b));
}
static int by_text(const void *a, const void *b) { // allocates in the library's hands
  const std::string left(40, static_cast<char>('a' + *static_cast<const int *>(a) % 20));
  const std::string right(40, static_cast<char>('a' + *static_cast<const int *>(b) % 20));
  return left.compare(right);
}

struct Shape {
  virtual ~Shape() = default;
  virtual int area() const { return 1; }
  virtual std::unique_ptr<Shape> copy() const { return std::make_unique<Shape>(); }
};
struct Square : Shape {
  int side = 3;
  int area() const override { return side * side; }
  std::unique_ptr<Shape> copy() const override { return std::make_unique<Square>(*this); }
};

struct Early {
  Early() : text(strdup("before main")) {}
  ~Early() { free(text); }
  char *text;
};
static Early early;

static void called_once(int rounds) { // and what it calls is, too
  for (int i = 0; i < rounds; i++)
    for (int j = 0; j < i; j++)
      if ((i + j) % 2 == 0)
        keep(malloc(static_cast<size_t>(i) * 8 + 1));
}
static void only_from_here(int rounds) {
  for (int i = 0; i < 2; i++)
    called_once(rounds + i);
}

static void *deep(int n) { // no frame has an index before the innermost one allocates
  if (n == 0)
    return malloc(24);
  void *made = deep(n - 1);
  return n % 5000 == 0 ? realloc(made, static_cast<size_t>(n)) : made;
}

static void on_signal(int) { keep(malloc(100)); }
static void at_end() { free(malloc(200)); }

static jmp_buf environment;
static void jumps() {
  volatile int times = 0;
  if (setjmp(environment) < 4)
    for (volatile int k = 0; k < 5; k = k + 1) {
      keep(calloc(1, 16));
      if (k == 2) {
        times = times + 1;
        longjmp(environment, times);
      }
    }
}

static int two_entries(int x) {
  int steps = 0;
  if ((x & 1) != 0)
    goto inside;
outside:
  keep(malloc(32));
  x -= 2;
inside:
  keep(malloc(48));
  steps++;
  x--;
  if (x > 0)
    goto outside;
  return steps;
}

// The library catches what it throws, and goes on.
struct Broken : std::streambuf {
  int overflow(int letter) override {
    const std::string text(static_cast<size_t>(letter), 'z');
    throw std::runtime_error(text);
  }
};

static size_t write_to_nothing(int n) {
  Broken broken;
  std::ostream out(&broken);
  out << "never written";
  const std::string behind(static_cast<size_t>(n) + 40, 'b');
  return out.bad() ? behind.size() : 0;
}

static void throws(int n) {
  const std::string held_here(60, 'x');
  if (n == 0)
    throw std::runtime_error(held_here);
  throws(n - 1);
}

int main() {
  atexit(at_end);
  signal(SIGUSR1, on_signal);
  only_from_here(7);
  keep(deep(20000));
  raise(SIGUSR1);
  raise(SIGUSR1);
  static int numbers[40];
  void *root = nullptr;
  for (int i = 0; i < 40; i++) {
    numbers[i] = i * 37 % 40;
    tsearch(&numbers[i], &root, by_number); // compares so often, then allocates
  }
  qsort(numbers, 40, sizeof *numbers, by_text);
  jumps();
  const int steps = two_entries(9) + two_entries(8);
  std::vector<std::unique_ptr<Shape>> shapes;
  shapes.push_back(std::make_unique<Shape>());
  shapes.push_back(std::make_unique<Square>());
  int area = 0;
  for (int i = 0; i < 6; i++) {
    shapes.push_back(shapes[static_cast<size_t>(i)]->copy());
    area += shapes.back()->area() + chosen(i);
  }
  std::map<std::string, std::function<std::string(int)>> makers;
  for (int i = 0; i < 5; i++)
    makers["maker of a name that is long " + std::to_string(i)] = [i](int n) {
      return std::string(static_cast<size_t>(n + i) * 10, 'y');
    };
  size_t length = 0;
  for (auto &[name, maker] : makers)
    length += maker(static_cast<int>(name.size())).size();
  for (int i = 0; i < 4; i++)
    try {
      throws(i);
    } catch (const std::exception &error) {
      length += strlen(error.what());
    }
  length += write_to_nothing(3) + write_to_nothing(4);
  printf("%d %d %zu %zu %d\n", steps, area, length, held.size(), numbers[0] % 2 + numbers[39] % 2);
  for (void *block : held)
    free(block);
  return 0;
}
