// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A C++ program: containers, exceptions, a failing new, thread-local and static objects with
// destructors.
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::string g_static = "a static string that is too long for the small buffer";
static thread_local std::vector<int> g_local;

int main() {
  std::map<std::string, std::shared_ptr<std::vector<int>>> map;
  for (int i = 0; i < 1000; ++i)
    map["some key that is long enough " + std::to_string(i)] =
        std::make_shared<std::vector<int>>(i);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] { g_local.resize(1000); });
  for (std::thread &thread : threads)
    thread.join();
  bool caught = false;
  try {
    volatile size_t much = SIZE_MAX / 2;
    std::unique_ptr<char[]> block(new char[much]);
  } catch (const std::bad_alloc &) {
    caught = true;
  }
  try {
    throw std::runtime_error(g_static);
  } catch (const std::exception &e) {
    caught = caught && e.what() == g_static;
  }
  std::puts(caught && map.size() == 1000 ? "fine" : "wrong");
}
