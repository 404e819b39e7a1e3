// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code with frames of every kind, and two walks of the stack beside each other: ours, and that of
// the compiler's own library. Included by two tests, one compiled as users do (-O2, no frame
// pointers), one not optimised.
#pragma once

#include "runtime/unwind/known_rules.h"
#include "runtime/unwind/walk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <ucontext.h>
#include <unwind.h>
#include <vector>

namespace culprit::unwind {
namespace {

constexpr size_t kMost = 64;
struct Walked {
  uintptr_t frames[kMost];
  size_t count = 0;
};

_Unwind_Reason_Code add_frame(_Unwind_Context *context, void *data) {
  auto &walked = *static_cast<Walked *>(data);
  int before = 0;
  const uintptr_t pc = _Unwind_GetIPInfo(context, &before);
  if (walked.count == kMost || pc == 0)
    return _URC_END_OF_STACK;
  walked.frames[walked.count++] = pc + (before != 0 ? 1 : 0); // as walk.h has it
  return _URC_NO_REASON;
}

// Both from the caller of this function on.
[[gnu::noinline]] void walk_both(Walked &ours, Walked &theirs) {
  ours.count = capture_by_tables(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)),
                                 ours.frames, kMost);
  _Unwind_Backtrace(add_frame, &theirs);
  if (theirs.count) { // begins with this function itself
    --theirs.count;
    std::memmove(theirs.frames, theirs.frames + 1, theirs.count * sizeof theirs.frames[0]);
  }
}

bool agree(const Walked &ours, const Walked &theirs) {
  return ours.count == theirs.count &&
         std::equal(ours.frames, ours.frames + ours.count, theirs.frames);
}

[[gnu::noinline]] void expect_agreement() {
  Walked ours;
  Walked theirs;
  walk_both(ours, theirs);
  EXPECT_GE(ours.count, 4U);
  EXPECT_EQ(std::vector<uintptr_t>(ours.frames, ours.frames + ours.count),
            std::vector<uintptr_t>(theirs.frames, theirs.frames + theirs.count));
}

using Inner = void (*)();
inline volatile int g_sink;

[[gnu::noinline]] void in_recursion(int depth, Inner inner) {
  if (depth == 0)
    inner();
  else
    in_recursion(depth - 1, inner);
  g_sink = depth;
}

[[gnu::noinline]] void with_a_large_frame(Inner inner) {
  volatile char large[300'000];
  large[g_sink & 7] = 1;
  inner();
  g_sink = large[7];
}

[[gnu::noinline]] void with_an_aligned_frame(Inner inner) {
  alignas(64) volatile char aligned[256];
  aligned[g_sink & 7] = 1;
  inner();
  g_sink = aligned[7];
}

[[gnu::noinline]] void with_a_growing_frame(size_t size, Inner inner) {
  auto *room = static_cast<volatile char *>(__builtin_alloca(size));
  room[size - 1] = 1;
  inner();
  g_sink = room[size - 1];
}

[[gnu::noinline]] void with_both(size_t size, Inner inner) {
  alignas(32) volatile char aligned[64];
  auto *room = static_cast<volatile char *>(__builtin_alloca(size));
  aligned[g_sink & 7] = 1;
  room[0] = 1;
  inner();
  g_sink = room[0] + aligned[7];
}

[[gnu::noinline]] void with_destructors(Inner inner) {
  std::string first(40, 'x');
  std::vector<std::string> more(3, first);
  try {
    inner();
    if (g_sink == -1)
      throw std::runtime_error(more[1]);
  } catch (const std::runtime_error &error) {
    g_sink = error.what()[0];
  }
}

inline Inner g_called_back;
inline int compare(const void *left, const void *right) {
  if (g_called_back)
    g_called_back();
  return *static_cast<const int *>(left) - *static_cast<const int *>(right);
}
[[gnu::noinline]] void through_the_c_library(Inner inner) {
  int numbers[] = {3, 1, 2};
  g_called_back = inner;
  std::qsort(numbers, 3, sizeof numbers[0], compare);
  g_called_back = nullptr;
  g_sink = numbers[0];
}

void call_everything(Inner inner) {
  in_recursion(5, inner);
  with_a_large_frame(inner);
  with_an_aligned_frame(inner);
  with_a_growing_frame(77 + static_cast<size_t>(g_sink & 1), inner);
  with_both(99 + static_cast<size_t>(g_sink & 1), inner);
  with_destructors(inner);
  through_the_c_library(inner);
}

// Of every instruction executed between start_stepping() and stop_stepping().
struct Stepped {
  uint64_t instructions;
  uint64_t different;
  uintptr_t first_different;
  Walked ours;
  Walked theirs;
};
inline Stepped g_stepped;

inline void after_instruction(int, siginfo_t *, void *context) {
  Walked ours;
  Walked theirs;
  walk_both(ours, theirs);
  ++g_stepped.instructions;
  if (agree(ours, theirs))
    return;
  if (!g_stepped.different++) {
    g_stepped.first_different =
        static_cast<uintptr_t>(static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP]);
    g_stepped.ours = ours;
    g_stepped.theirs = theirs;
  }
}

[[gnu::always_inline]] inline void start_stepping() {
  __asm__ volatile(
      "lea -128(%%rsp), %%rsp; pushfq; orl $0x100, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::
          : "memory", "cc");
}
[[gnu::always_inline]] inline void stop_stepping() {
  __asm__ volatile(
      "lea -128(%%rsp), %%rsp; pushfq; andl $0xfffffeff, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::
          : "memory", "cc");
}

inline void nothing() { g_sink = g_sink + 1; }

} // namespace
} // namespace culprit::unwind
