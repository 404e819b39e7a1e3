// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No error: static objects with constructors, exceptions through frames with buffers, lambdas.
#include <array>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

std::map<std::string, std::vector<int>> table = {{"one", {1}}, {"two", {1, 2}}};
std::array<char, 16> scratch{};
int depth = 0;

int dig(int level) {
  std::array<char, 24> line{};
  std::snprintf(line.data(), line.size(), "level %d", level);
  ++depth;
  if (level == 0)
    throw std::runtime_error(line.data());
  return dig(level - 1) + line[0];
}

std::string describe(const std::string &name) {
  static int calls = 0;
  auto found = table.find(name);
  std::snprintf(scratch.data(), scratch.size(), "%d", ++calls);
  return found == table.end() ? scratch.data() : name + std::to_string(found->second.size());
}

} // namespace

int main() {
  try {
    dig(20);
  } catch (const std::exception &error) {
    std::printf("%s at %d\n", error.what(), depth);
  }
  for (const char *name : {"one", "two", "three"})
    std::puts(describe(name).c_str());
  return 0;
}
