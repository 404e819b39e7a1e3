// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With nothing to suppress, the flavours of locate do what the plain program does: exceptions of
// all ways, virtual bases, coroutines, the containers.
//
// RUN: rm -rf %t && mkdir %t && culprit c++ -std=c++20 -w -g -O2 %s -o %t/program -lm
// RUN: cd %t && ./program > plain
// RUN: cd %t && $(culprit flavour trace program) > trace && cmp plain trace
// RUN: cd %t && $(culprit flavour suppress program) > suppress && cmp plain suppress
#include <algorithm>
#include <any>
#include <coroutine>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

struct Noisy {
  std::string name;
  explicit Noisy(std::string n) : name(std::move(n)) { std::cout << "+" << name << "\n"; }
  Noisy(const Noisy &o) : name(o.name + "'") { std::cout << "c" << name << "\n"; }
  ~Noisy() { std::cout << "-" << name << "\n"; }
};
struct Error : std::runtime_error {
  char data[200];
  int n;
  Error(int v) : std::runtime_error("error " + std::to_string(v)), n(v) {
    std::memset(data, v, sizeof data);
  }
};
[[gnu::noinline]] int thrower(int n) {
  char buf[256];
  std::snprintf(buf, sizeof buf, "depth %d", n);
  Noisy a(buf);
  if (n == 0)
    throw Error(42);
  return thrower(n - 1) + 1;
}
struct Base {
  virtual ~Base() = default;
  virtual int f(int x) { return x; }
};
struct Left : virtual Base {
  int l = 3;
  int f(int x) override { return x + l; }
};
struct Right : virtual Base {
  int r = 4;
};
struct Both : Left, Right {
  int f(int x) override { return Left::f(x) * r; }
};
struct Try {
  Noisy n;
  Try() try : n("member") { throw 5; } catch (int i) {
    std::cout << "function try " << i << "\n";
    throw std::string("again");
  }
};
struct Gen {
  struct promise_type {
    int v;
    Gen get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int x) {
      v = x;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { throw; }
  };
  std::coroutine_handle<promise_type> h;
  ~Gen() { h.destroy(); }
  bool next() {
    h.resume();
    return !h.done();
  }
};
Gen numbers(int n) {
  char buf[32];
  for (int i = 0; i < n; i++) {
    std::snprintf(buf, sizeof buf, "%d", i * i);
    co_yield std::atoi(buf);
  }
  if (n == 3)
    throw std::logic_error("coroutine");
}
int by_qsort(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  if (x == 13 || y == 13)
    throw std::out_of_range("thirteen");
  return x - y;
}
thread_local std::string local = "thread local";
int main() {
  try {
    thrower(3);
  } catch (const std::exception &e) {
    std::cout << e.what() << "\n";
  }
  try {
    Try t;
  } catch (std::string &s) {
    std::cout << s << "\n";
  }
  try {
    try {
      throw Error(7);
    } catch (Error &e) {
      e.n++;
      throw;
    }
  } catch (Error &e) {
    std::cout << e.n << int(e.data[199]) << "\n";
  }
  int v[] = {5, 13, 2, 9};
  try {
    std::qsort(v, 4, sizeof *v, by_qsort);
  } catch (std::out_of_range &e) {
    std::cout << e.what() << "\n";
  }
  Both b;
  Base *p = &b;
  std::cout << p->f(2) << dynamic_cast<Right *>(p)->r << typeid(*p).name() << "\n";
  std::map<std::string, std::vector<int>> m;
  for (int i = 0; i < 200; i++)
    m["k" + std::to_string(i % 17)].push_back(i);
  long h = 0;
  for (auto &[k, w] : m)
    for (int i : w)
      h = h * 31 + i + (long)k.size();
  std::cout << h << "\n";
  std::vector<std::string> s;
  for (int i = 0; i < 300; i++)
    s.push_back(std::string(i % 40, 'a' + i % 26));
  std::sort(s.begin(), s.end());
  s.erase(std::unique(s.begin(), s.end()), s.end());
  std::cout << s.size() << s.back() << "\n";
  std::variant<int, std::string, double> var = 3;
  var = "text";
  std::visit([](auto &x) { std::cout << x << "\n"; }, var);
  std::any a = 5;
  try {
    (void)std::any_cast<double>(a);
  } catch (std::bad_any_cast &) {
    std::cout << "bad any\n";
  }
  std::function<int(int)> f = [&](int n) { return n < 2 ? n : f(n - 1) + f(n - 2); };
  std::cout << f(15) << "\n";
  auto q = std::make_shared<Noisy>("shared");
  std::weak_ptr<Noisy> w = q;
  q.reset();
  std::cout << w.expired() << "\n";
  Gen g = numbers(5);
  while (g.next())
    std::cout << g.h.promise().v << " ";
  std::cout << "\n";
  try {
    Gen e = numbers(3);
    while (e.next())
      ;
  } catch (std::logic_error &e) {
    std::cout << e.what() << "\n";
  }
  local += "!";
  std::cout << local << "\n";
  std::stringstream ss;
  ss << 3.25 << " " << std::hex << 255;
  double d;
  std::string x;
  ss >> d >> x;
  std::cout << d << x << "\n";
  std::vector<bool> bits(100);
  for (int i = 0; i < 100; i += 3)
    bits[i] = true;
  std::cout << std::count(bits.begin(), bits.end(), true) << "\n";
  try {
    (void)std::vector<int>().at(3);
  } catch (std::out_of_range &e) {
    std::cout << "at\n";
  }
  std::exit(0);
}
