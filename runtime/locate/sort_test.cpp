// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/locate/sort.h"

#include "runtime/locate/ids.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

namespace culprit::locate {
namespace {

constexpr Id kCall = 77;

uintptr_t number_of(const void *address) { return reinterpret_cast<uintptr_t>(address); }

int by_first_byte(const void *a, const void *b, void *) {
  return *static_cast<const unsigned char *>(a) - *static_cast<const unsigned char *>(b);
}

// Elements whose first byte repeats and whose second tells where they began.
std::vector<unsigned char> elements_of(size_t count, size_t size, std::mt19937_64 &random) {
  std::vector<unsigned char> bytes(count * size);
  for (size_t i = 0; i < count; ++i) {
    bytes[i * size] = static_cast<unsigned char>(random() % 16);
    if (size > 1)
      bytes[i * size + 1] = static_cast<unsigned char>(i);
  }
  return bytes;
}

TEST(Sort, MovesElementsAsTheLibrarysDoes) {
  std::mt19937_64 random(3);
  for (size_t size : {1u, 2u, 3u, 4u, 7u, 8u, 12u, 32u, 33u, 36u, 40u, 300u})
    for (size_t count : {0u, 1u, 2u, 3u, 10u, 64u, 500u}) {
      std::vector<unsigned char> ours = elements_of(count, size, random);
      std::vector<unsigned char> theirs = ours;
      sort(ours.data(), count, size, by_first_byte, nullptr, kCall);
      qsort_r(theirs.data(), count, size, by_first_byte, nullptr);
      EXPECT_EQ(ours, theirs) << count << " of " << size << " bytes";
    }
}

TEST(Sort, TakesTheIdsOfElementsAlong) {
  std::mt19937_64 random(4);
  for (size_t size : {4u, 8u, 24u, 40u})
    for (size_t count : {2u, 9u, 200u}) {
      std::vector<unsigned char> bytes = elements_of(count, size, random);
      for (size_t i = 0; i < count; ++i)
        define(number_of(&bytes[i * size]), size, 100 + i % 256);
      sort(bytes.data(), count, size, by_first_byte, nullptr, kCall);
      for (size_t i = 0; i < count; ++i)
        for (size_t in = 0; in < size; in += 4)
          ASSERT_EQ(id_of(number_of(&bytes[i * size + in]), 4), 100u + bytes[i * size + 1]);
    }
}

TEST(Sort, GivesCellsThatElementsShareTheIdOfTheCall) {
  alignas(4) unsigned char bytes[8] = {3, 0, 2, 1, 1, 2, 0, 3};
  define(number_of(bytes), sizeof bytes, 5);
  sort(bytes, 4, 2, by_first_byte, nullptr, kCall);
  EXPECT_EQ(bytes[1], 3);
  EXPECT_EQ(id_of(number_of(bytes), 4), kCall);
}

// Who compares an element that is wrong is to see the id of what made it wrong.
TEST(Sort, ShowsWhoComparesTheIdsOfWhatItCompares) {
  struct Element {
    uint32_t key;
    uint32_t number;
  };
  std::vector<Element> elements;
  for (uint32_t i = 0; i < 100; ++i)
    elements.push_back({(i * 37) % 101, i});
  for (const Element &each : elements)
    define(number_of(&each), sizeof each, 1000 + each.number);
  bool are_theirs = true;
  auto compare = [](const void *a, const void *b, void *context) {
    const auto *one = static_cast<const Element *>(a);
    const auto *other = static_cast<const Element *>(b);
    for (const Element *each : {one, other})
      if (id_of(number_of(each), sizeof *each) != 1000 + each->number)
        *static_cast<bool *>(context) = false;
    return static_cast<int>(one->key) - static_cast<int>(other->key);
  };
  sort(elements.data(), elements.size(), sizeof(Element), compare, &are_theirs, kCall);
  EXPECT_TRUE(are_theirs);
}

} // namespace
} // namespace culprit::locate
