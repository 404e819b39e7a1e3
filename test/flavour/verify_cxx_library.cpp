// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Much of the C++ library at once, in the monitor flavour: what its own code links and moves is
// seen, at every 2000th function entry, as a full scan sees it.
// RUN: rm -rf %t && mkdir %t && cd %t && echo "heap.every = 2000" > culprit.toml
// RUN: culprit c++ -std=c++20 -O1 %s -o prog -pthread
// RUN: culprit train -q --verify -- ./prog 10
// RUN: ./prog 10 > plain
// RUN: culprit run -q --flavour monitor -- ./prog 10 | diff plain -
#include <algorithm>
#include <any>
#include <array>
#include <charconv>
#include <cstring>
#include <deque>
#include <filesystem>
#include <forward_list>
#include <fstream>
#include <functional>
#include <future>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <optional>
#include <queue>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>
struct Base {
  virtual ~Base() = default;
  virtual int f() = 0;
};
struct Left : virtual Base {
  std::string name;
  int f() override { return 1; }
};
struct Right : virtual Base {
  std::shared_ptr<int> p = std::make_shared<int>(3);
};
struct Both : Left, Right {
  int f() override { return (int)name.size() + *p; }
};
struct Node {
  std::weak_ptr<Node> parent;
  std::vector<std::shared_ptr<Node>> kids;
  std::any tag;
};
static std::shared_ptr<Node> tree(int d, std::shared_ptr<Node> up) {
  auto n = std::make_shared<Node>();
  n->parent = up;
  n->tag = std::string(30, 'x');
  for (int i = 0; i < d; ++i)
    n->kids.push_back(tree(d - 1, n));
  return n;
}
static int sum(const std::shared_ptr<Node> &n) {
  int s = 1;
  for (auto &k : n->kids)
    s += sum(k);
  return s;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 50;
  long total = 0;
  std::mt19937 rng(n);
  for (int round = 0; round < n; ++round) {
    std::map<std::string, std::unique_ptr<Base>> m;
    for (int i = 0; i < 60; ++i) {
      auto b = std::make_unique<Both>();
      b->name = "a rather long name " + std::to_string(rng() % 100);
      m[b->name] = std::move(b);
    }
    for (auto it = m.begin(); it != m.end();) {
      total += it->second->f();
      it = rng() % 2 ? m.erase(it) : std::next(it);
    }
    std::list<std::string> l;
    for (int i = 0; i < 40; ++i)
      l.push_back(std::to_string(rng()) + std::string(20, 'y'));
    l.sort();
    l.reverse();
    std::list<std::string> l2;
    l2.splice(l2.begin(), l, std::next(l.begin(), 5), std::next(l.begin(), 20));
    l.merge(l2);
    l.unique();
    std::forward_list<int> fl(10, 3);
    fl.push_front(2);
    fl.reverse();
    std::multiset<int> ms;
    for (int i = 0; i < 50; ++i)
      ms.insert(rng() % 20);
    std::multiset<int> ms2;
    while (ms.size() > 20)
      ms2.insert(ms.extract(ms.begin()));
    std::unordered_map<int, std::vector<int>> um;
    for (int i = 0; i < 100; ++i)
      um[rng() % 30].push_back(i);
    std::deque<std::shared_ptr<Node>> dq;
    for (int i = 0; i < 4; ++i) {
      dq.push_back(tree(4, nullptr));
      total += sum(dq.back());
      if (i % 2)
        dq.pop_front();
    }
    std::priority_queue<std::pair<int, std::string>> pq;
    for (int i = 0; i < 30; ++i)
      pq.emplace(rng() % 100, std::string(25, 'z'));
    while (pq.size() > 10)
      pq.pop();
    std::vector<std::function<int(int)>> fs;
    for (int i = 0; i < 10; ++i) {
      std::string cap(40, 'c');
      fs.push_back([cap, i](int x) { return (int)cap.size() + i + x; });
    }
    for (auto &f : fs)
      total += f(1);
    std::variant<int, std::string, std::vector<int>> v = std::vector<int>(100, 1);
    v = std::string(100, 'v');
    std::ostringstream os;
    os << total << ' ' << l.front();
    std::istringstream is(os.str());
    std::string w;
    while (is >> w)
      total += w.size();
    if (round % 10 == 0) {
      std::regex re("([a-z]+)([0-9]*)");
      std::smatch sm;
      std::string t = "abc123";
      if (std::regex_match(t, sm, re))
        total += sm[1].length();
    }
    try {
      if (round % 3 == 0)
        throw std::runtime_error("some error text that is long enough to allocate");
    } catch (std::exception &e) {
      total += strlen(e.what());
    }
    std::vector<std::string> vs;
    for (int i = 0; i < 50; ++i)
      vs.push_back(std::to_string(rng()) + "-------------------");
    std::sort(vs.begin(), vs.end());
    std::rotate(vs.begin(), vs.begin() + 7, vs.end());
    vs.erase(vs.begin() + 3, vs.begin() + 20);
    vs.insert(vs.begin() + 2, "inserted in the middle of the vector");
    std::pmr::monotonic_buffer_resource pool;
    std::pmr::map<int, std::pmr::string> pm(&pool);
    for (int i = 0; i < 30; ++i)
      pm.emplace(rng() % 50, "pmr string that is longer than the small buffer");
    auto fut = std::async(std::launch::deferred, [&] { return um.size(); });
    total += fut.get();
    std::filesystem::path p = "/a/b/c/d.txt";
    total += p.filename().string().size();
    for (auto &part : p)
      total += part.string().size();
    Base *arr = nullptr;
    (void)arr;
    Both *many = new Both[5];
    for (int i = 0; i < 5; ++i)
      many[i].name = std::string(50, 'm');
    delete[] many;
    std::unordered_set<std::string> us;
    for (auto &s : vs)
      us.insert(s);
    std::map<int, std::map<int, std::set<int>>> nest;
    for (int i = 0; i < 60; ++i)
      nest[rng() % 5][rng() % 5].insert(rng() % 9);
    auto copy = nest;
    copy.erase(copy.begin());
    std::swap(copy, nest);
    std::optional<std::vector<std::string>> ov = vs;
    ov->resize(10);
    ov->shrink_to_fit();
    std::vector<bool> vb(1000);
    vb[5] = true;
  }
  std::cout << total << "\n";
}
