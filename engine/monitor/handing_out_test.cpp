// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions below are read as machine code, where they lie in this process. Compiled with -O2
// (CMakeLists.txt).
#include "engine/monitor/handing_out.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace culprit::monitor {
namespace {

uintptr_t g_return_address;

[[gnu::noinline]] void *source(size_t size) {
  g_return_address = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  return std::calloc(1, size);
}

struct Node {
  Node *next;
  long value;
};

[[gnu::noinline]] void *checked(size_t size) {
  void *block = source(size);
  if (block == nullptr) {
    std::fputs("no memory\n", stderr);
    std::exit(1);
  }
  return block;
}
[[gnu::noinline, clang::optnone]] void *checked_unoptimised(size_t size) {
  void *block = source(size);
  if (block == nullptr) {
    std::fputs("no memory\n", stderr);
    std::exit(1);
  }
  return block;
}
[[gnu::noinline]] void *counted(size_t size) {
  static volatile size_t count;
  void *block = source(size ? size : 1);
  count = count + 1;
  return block;
}
[[gnu::noinline]] void *in_a_loop(size_t size) {
  for (;;) {
    if (void *block = source(size))
      return block;
    std::fputs("waiting\n", stderr);
  }
}
[[gnu::noinline]] Node *filled(long value) {
  auto *node = static_cast<Node *>(source(sizeof(Node)));
  node->value = value;
  return node;
}
[[gnu::noinline, clang::optnone]] Node *filled_unoptimised(long value) {
  auto *node = static_cast<Node *>(source(sizeof(Node)));
  node->value = value;
  return node;
}
[[gnu::noinline]] char *copied(const char *text) {
  const size_t size = std::strlen(text) + 1;
  auto *copy = static_cast<char *>(source(size));
  return static_cast<char *>(std::memcpy(copy, text, size));
}
Node *g_kept;
[[gnu::noinline]] void *kept(size_t size) {
  g_kept = static_cast<Node *>(source(size));
  return g_kept;
}
[[gnu::noinline]] long read_and_dropped(size_t size) {
  auto *node = static_cast<Node *>(source(size));
  const long value = node->value;
  std::free(node);
  return value;
}

extern "C" char __executable_start; // the linker's
extern "C" char etext;

template <typename Function, typename Argument>
bool is_wrapper(Function function, Argument argument) {
  [[maybe_unused]] volatile auto result = function(argument); // else nobody would return it
  const char *from = &__executable_start;
  const auto *at = reinterpret_cast<const char *>(g_return_address);
  if constexpr (std::is_pointer_v<std::invoke_result_t<Function, Argument>>)
    std::free(result);
  return hands_out({from, static_cast<size_t>(at - from)}, {at, static_cast<size_t>(&etext - at)});
}

TEST(HandingOut, ACheckedMallocHandsOut) { EXPECT_TRUE(is_wrapper(checked, 16)); }
TEST(HandingOut, OneThatIsNotOptimisedHandsOut) {
  EXPECT_TRUE(is_wrapper(checked_unoptimised, 16));
}
TEST(HandingOut, OneThatCountsHandsOut) { EXPECT_TRUE(is_wrapper(counted, 16)); }
TEST(HandingOut, OneThatTriesAgainHandsOut) { EXPECT_TRUE(is_wrapper(in_a_loop, 16)); }
TEST(HandingOut, WhoWritesTheBlockUsesIt) {
  EXPECT_FALSE(is_wrapper(filled, 3));
  EXPECT_FALSE(is_wrapper(filled_unoptimised, 3));
}
TEST(HandingOut, WhoGivesItToAnotherFunctionUsesIt) { EXPECT_FALSE(is_wrapper(copied, "text")); }
TEST(HandingOut, WhoKeepsItUsesIt) { EXPECT_FALSE(is_wrapper(kept, 16)); }
TEST(HandingOut, WhoReturnsSomethingElseUsesIt) { EXPECT_FALSE(is_wrapper(read_and_dropped, 16)); }

TEST(HandingOut, AnyBytesAreRead) {
  uint64_t state = 3;
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(64 + round % 64, 0);
    for (char &byte : bytes) {
      state = state * 6364136223846793005 + 1442695040888963407;
      byte = static_cast<char>(state >> 56);
    }
    const std::string_view view = bytes;
    hands_out(view.substr(0, 20), view.substr(20));
  }
  EXPECT_FALSE(hands_out({}, {}));
}

} // namespace
} // namespace culprit::monitor
