// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The malloc family and operator new/delete by their standard names, each form at least once.
#include "runtime/heap/object.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <new>

namespace {

// The compiler knows these functions and may drop a pair of them: hide the pointer.
template <typename T> T *seen(T *pointer) {
  __asm__ volatile("" : "+r"(pointer) : : "memory");
  return pointer;
}

size_t hidden(size_t value) {
  __asm__ volatile("" : "+r"(value));
  return value;
}

bool is_ours(const void *block) {
  culprit::heap::Object object = culprit::heap::find_object(block);
  return object.live && object.start == reinterpret_cast<uintptr_t>(block);
}

constexpr size_t kTooMuch = PTRDIFF_MAX;

TEST(Malloc, GivesAlignedBlocksOfTheArena) {
  for (size_t size : {0ul, 1ul, 15ul, 16ul, 17ul, 1000ul, 16385ul, 131072ul, 131073ul, 5000000ul}) {
    void *block = seen(malloc(size));
    EXPECT_TRUE(is_ours(block)) << size;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 16, 0u);
    EXPECT_GE(malloc_usable_size(block), size);
    memset(block, 1, size);
    free(block);
  }
  free(nullptr);
}

TEST(Malloc, ZeroSizesGiveDistinctBlocks) {
  void *one = seen(malloc(0));
  void *two = seen(malloc(0));
  EXPECT_NE(one, two);
  free(one);
  free(two);
}

TEST(Malloc, RefusesWhatCannotBeWithEnomem) {
  for (size_t size : {kTooMuch, kTooMuch + 1, SIZE_MAX, SIZE_MAX - 15}) {
    errno = 0;
    EXPECT_EQ(seen(malloc(hidden(size))), nullptr);
    EXPECT_EQ(errno, ENOMEM);
    errno = 0;
    EXPECT_EQ(seen(calloc(hidden(size), 1)), nullptr);
    EXPECT_EQ(errno, ENOMEM);
    errno = 0;
    EXPECT_EQ(seen(memalign(64, hidden(size))), nullptr);
    EXPECT_EQ(errno, ENOMEM);
    errno = 0;
    EXPECT_EQ(seen(aligned_alloc(64, hidden(size))), nullptr);
    EXPECT_EQ(errno, ENOMEM);
    errno = 0;
    EXPECT_EQ(seen(valloc(hidden(size))), nullptr);
    EXPECT_EQ(errno, ENOMEM);
    errno = 0;
    EXPECT_EQ(seen(pvalloc(hidden(size))), nullptr);
    EXPECT_EQ(errno, ENOMEM);
  }
}

TEST(Calloc, ZeroesUsedMemoryAndSeesOverflow) {
  for (size_t size : {24ul, 5000ul, 100000ul, 400000ul}) {
    void *dirty = seen(malloc(size));
    memset(dirty, 0xff, size);
    free(dirty);
    auto *block = static_cast<unsigned char *>(seen(calloc(size / 8, 8)));
    for (size_t i = 0; i < size; ++i)
      ASSERT_EQ(block[i], 0);
    free(block);
  }
  errno = 0;
  EXPECT_EQ(seen(calloc(hidden(SIZE_MAX / 2), 3)), nullptr);
  EXPECT_EQ(errno, ENOMEM);
}

TEST(Realloc, KeepsContentThroughAllSizes) {
  unsigned char *block = nullptr;
  size_t old = 0;
  for (size_t size = 1; size < 3'000'000; size = size * 5 / 3 + 1) {
    block = static_cast<unsigned char *>(seen(realloc(block, size)));
    ASSERT_TRUE(is_ours(block));
    for (size_t i = 0; i < old; ++i)
      ASSERT_EQ(block[i], static_cast<unsigned char>(i * 31));
    for (size_t i = old; i < size; ++i)
      block[i] = static_cast<unsigned char>(i * 31);
    old = size;
  }
  for (; old > 1; old /= 2) {
    block = static_cast<unsigned char *>(seen(realloc(block, old)));
    for (size_t i = 0; i < old; ++i)
      ASSERT_EQ(block[i], static_cast<unsigned char>(i * 31));
  }
  free(block);
}

TEST(Realloc, FollowsGlibcAtTheEdges) {
  void *block = seen(realloc(nullptr, 10));
  ASSERT_TRUE(is_ours(block));
  errno = 0;
  EXPECT_EQ(seen(realloc(block, hidden(SIZE_MAX))), nullptr);
  EXPECT_EQ(errno, ENOMEM);
  EXPECT_TRUE(is_ours(block)); // a failed realloc leaves the block
  EXPECT_EQ(seen(realloc(block, hidden(0))), nullptr);
  EXPECT_FALSE(is_ours(block));
  errno = 0;
  EXPECT_EQ(seen(reallocarray(nullptr, hidden(SIZE_MAX / 4), 8)), nullptr);
  EXPECT_EQ(errno, ENOMEM);
  block = seen(reallocarray(nullptr, 10, 10));
  EXPECT_GE(malloc_usable_size(block), 100u);
  free(block);
}

TEST(Aligned, EveryFormAlignsAndCanBeFreed) {
  for (size_t alignment = 16; alignment <= (size_t{1} << 22); alignment *= 2)
    for (size_t size : {1ul, 100ul, 5000ul, 70000ul, 200000ul}) {
      void *blocks[3] = {seen(memalign(alignment, size)), seen(aligned_alloc(alignment, size)),
                         nullptr};
      ASSERT_EQ(posix_memalign(&blocks[2], alignment, size), 0);
      for (void *block : blocks) {
        ASSERT_TRUE(is_ours(block));
        ASSERT_EQ(reinterpret_cast<uintptr_t>(block) % alignment, 0u);
        memset(block, 1, size);
        free(block);
      }
    }
  void *page = seen(valloc(10));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(page) % 4096, 0u);
  free(page);
  page = seen(pvalloc(4097));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(page) % 4096, 0u);
  EXPECT_GE(malloc_usable_size(page), 8192u);
  free(page);
  void *odd = seen(memalign(hidden(48), 10)); // glibc rounds up to 64
  EXPECT_EQ(reinterpret_cast<uintptr_t>(odd) % 64, 0u);
  free(odd);
}

TEST(Aligned, BadAlignmentsAreEinval) {
  void *result = &result;
  void *const before = result;
  for (size_t alignment : {0ul, 1ul, 4ul, 24ul, 48ul}) {
    EXPECT_EQ(posix_memalign(&result, hidden(alignment), 10), EINVAL) << alignment;
    EXPECT_EQ(result, before);
  }
  EXPECT_EQ(posix_memalign(&result, 16, hidden(SIZE_MAX)), ENOMEM);
  EXPECT_EQ(result, before);
  errno = 0;
  EXPECT_EQ(seen(aligned_alloc(hidden(48), 48)), nullptr);
  EXPECT_EQ(errno, EINVAL);
}

TEST(UsableSize, IsZeroForWhatIsNoBlock) { EXPECT_EQ(malloc_usable_size(nullptr), 0u); }

struct alignas(256) Wide {
  char bytes[300];
};

TEST(New, EveryFormOfNewAndDeleteMeetsInTheArena) {
  auto *single = seen(new int(1));
  EXPECT_TRUE(is_ours(single));
  delete single;
  auto *array = seen(new int[100]);
  EXPECT_TRUE(is_ours(array));
  delete[] array;
  auto *wide = seen(new Wide);
  EXPECT_TRUE(is_ours(wide));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(wide) % 256, 0u);
  delete wide;
  auto *wides = seen(new Wide[3]);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(wides) % 256, 0u);
  delete[] wides;

  constexpr std::align_val_t kWide{128};
  ::operator delete(seen(::operator new(10)));
  ::operator delete(seen(::operator new(10)), size_t{10});
  ::operator delete(seen(::operator new(10, std::nothrow)), std::nothrow);
  ::operator delete(seen(::operator new(10, kWide)), kWide);
  ::operator delete(seen(::operator new(10, kWide)), 10, kWide);
  ::operator delete(seen(::operator new(10, kWide, std::nothrow)), kWide, std::nothrow);
  ::operator delete[](seen(::operator new[](10)));
  ::operator delete[](seen(::operator new[](10)), size_t{10});
  ::operator delete[](seen(::operator new[](10, std::nothrow)), std::nothrow);
  ::operator delete[](seen(::operator new[](10, kWide)), kWide);
  ::operator delete[](seen(::operator new[](10, kWide)), 10, kWide);
  ::operator delete[](seen(::operator new[](10, kWide, std::nothrow)), kWide, std::nothrow);
}

TEST(New, FailureThrowsOrIsNull) {
  constexpr std::align_val_t kWide{128};
  EXPECT_THROW(seen(::operator new(hidden(kTooMuch))), std::bad_alloc);
  EXPECT_THROW(seen(::operator new[](hidden(SIZE_MAX))), std::bad_alloc);
  EXPECT_THROW(seen(::operator new(hidden(kTooMuch), kWide)), std::bad_alloc);
  EXPECT_EQ(seen(::operator new(hidden(kTooMuch), std::nothrow)), nullptr);
  EXPECT_EQ(seen(::operator new[](hidden(kTooMuch), std::nothrow)), nullptr);
  EXPECT_EQ(seen(::operator new(hidden(SIZE_MAX), kWide, std::nothrow)), nullptr);
}

int g_handler_calls;

TEST(New, AsksTheNewHandlerUntilItGivesUp) {
  g_handler_calls = 0;
  std::set_new_handler([] {
    if (++g_handler_calls == 3)
      std::set_new_handler(nullptr);
  });
  EXPECT_THROW(seen(::operator new(hidden(kTooMuch))), std::bad_alloc);
  EXPECT_EQ(g_handler_calls, 3);
  std::set_new_handler([] { throw 42; });
  EXPECT_THROW(seen(::operator new(hidden(kTooMuch))), int);
  std::set_new_handler(nullptr);
}

} // namespace
