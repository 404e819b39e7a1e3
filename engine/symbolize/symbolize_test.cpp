// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program compiled here prints the return addresses of its own stack and where it is loaded.
#include "engine/symbolize/symbolize.h"

#include "engine/launch/temporary.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

namespace culprit::symbolize {
namespace {

constexpr const char *kProgram = R"(#include <stdio.h>
#include <link.h>
namespace shop {
struct Queue {
  __attribute__((noinline)) void push(const char *text) {
    printf("%p %p %s\n", __builtin_return_address(0), (void *)_r_debug.r_map->l_addr, text);
    asm volatile("" ::: "memory");
  }
};
}
static inline __attribute__((always_inline)) void twice(shop::Queue &queue) {
  queue.push("one");
  queue.push("two");
}
struct Copied {
  int pad = 0;
  struct Told {
    Told() = default;
    __attribute__((always_inline)) Told(const Told &) { shop::Queue().push("copied"); }
  } told;
};
int main() {
  shop::Queue queue;
  twice(queue);
  Copied one;
  Copied other = one;
  asm volatile("" ::"r"(&other));
  return 0;
}
)";

struct Printed {
  uint64_t address = 0;
  uint64_t base = 0;
};

std::vector<Printed> compile_and_run(const std::filesystem::path &folder) {
  std::ofstream(folder / "program.cpp") << kProgram;
  const std::string compile =
      "cd " + folder.string() + " && /usr/lib/llvm-19/bin/clang++ -g -O1 program.cpp -o program";
  if (std::system(compile.c_str()) != 0)
    return {};
  std::vector<Printed> all;
  FILE *pipe = popen((folder / "program").c_str(), "r");
  std::array<char, 200> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    Printed one;
    char *end = nullptr;
    one.address = std::strtoull(line.data(), &end, 16);
    one.base = std::strtoull(end, nullptr, 16);
    all.push_back(one);
  }
  pclose(pipe);
  return all;
}

TEST(Symbolizer, NamesFunctionLineAndInlinedCallers) {
  auto folder = launch::TemporaryDirectory::create();
  ASSERT_TRUE(folder);
  const auto printed = compile_and_run(folder->path());
  ASSERT_EQ(printed.size(), 3);
  const uint64_t base = printed[0].base;
  Symbolizer symbolizer({{base, base + (1U << 20), base, folder->path() / "program"}});
  const auto &places = symbolizer.return_address(printed[0].address);
  ASSERT_EQ(places.size(), 2);
  EXPECT_EQ(places[0].function, "twice");
  EXPECT_EQ(std::filesystem::path(places[0].file).filename(), "program.cpp");
  EXPECT_EQ(places[0].line, 12);
  EXPECT_EQ(places[0].column, 9);
  EXPECT_EQ(places[1].function, "main");
  EXPECT_EQ(places[1].line, 24);
  EXPECT_EQ(symbolizer.return_address(printed[1].address)[0].line, 13);
}

TEST(Symbolizer, KnowsAFunctionThatNobodyWrote) {
  auto folder = launch::TemporaryDirectory::create();
  ASSERT_TRUE(folder);
  const auto printed = compile_and_run(folder->path());
  ASSERT_EQ(printed.size(), 3);
  const uint64_t base = printed[2].base;
  Symbolizer symbolizer({{base, base + (1U << 20), base, folder->path() / "program"}});
  const uint64_t address = printed[2].address;
  const auto &places = symbolizer.return_address(address);
  ASSERT_EQ(places.size(), 3);
  EXPECT_EQ(places[1].function, "Copied::Copied");
  EXPECT_FALSE(symbolizer.is_implicit(address, 0));
  EXPECT_TRUE(symbolizer.is_implicit(address, 1));
  EXPECT_FALSE(symbolizer.is_implicit(address, 2));
  EXPECT_FALSE(symbolizer.is_implicit(address, 3)) << "there is none";
  EXPECT_FALSE(symbolizer.is_implicit(0xabc, 0));
}

TEST(Symbolizer, AFileThatIsGoneLeavesModuleAndOffset) {
  Symbolizer symbolizer({{0x1000, 0x2000, 0x1000, "/nosuch/libthing.so"}});
  const auto &places = symbolizer.return_address(0x1234);
  ASSERT_EQ(places.size(), 1);
  EXPECT_EQ(places[0].function, "libthing.so+0x234");
  EXPECT_TRUE(places[0].file.empty());
}

TEST(Symbolizer, AnAddressOutsideEveryModuleIsNamedByItself) {
  Symbolizer symbolizer({});
  EXPECT_EQ(symbolizer.return_address(0xabc)[0].function, "0xabc");
}

TEST(ReadableName, DropsParametersAndKeepsTheRest) {
  EXPECT_EQ(readable_name("_ZN4shop5Queue4pushEPKc"), "shop::Queue::push");
  EXPECT_EQ(readable_name("insert_after"), "insert_after");
  EXPECT_EQ(readable_name("_Z"), "_Z");
}

TEST(ReadableName, ATypeThatCannotBeReadDoesNotHideTheName) {
  // As gcc 12 names std::swap<double> and std::swap<pair<int, int> *>.
  const std::string rest =
      "NSt9enable_ifIXsrSt6__and_IJSt6__not_ISt15__is_tuple_likeIT_EESt21is_"
      "move_constructibleIS4_ESt18is_move_assignableIS4_EEE5valueEvE4typeERS4_SE_";
  EXPECT_EQ(readable_name("_ZSt4swapIdE" + rest), "std::swap<double>");
  EXPECT_EQ(readable_name("_ZSt4swapIPSt4pairIiiEE" + rest), "std::swap<std::pair<int, int>*>");
  EXPECT_EQ(readable_name("_ZN4shop5Queue4swapIdEEvXsrSt"), "shop::Queue::swap<double>");
  EXPECT_EQ(readable_name("_ZTV5Queue"), "_ZTV5Queue") << "no function";
  EXPECT_EQ(readable_name("_ZEEEE"), "_ZEEEE");
}

} // namespace
} // namespace culprit::symbolize
