// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Points in time as the scheduler takes them: nanoseconds from now. A point that a program made of
// "now" and a span is rounded up to whole milliseconds, which gives the span back: time-outs then
// come in the same order in every execution.
#pragma once

#include "runtime/os/thread.h"

#include <time.h>

namespace culprit::interface {

constexpr long kSecond = 1'000'000'000;

inline bool is_valid(const timespec *time) { return time->tv_nsec >= 0 && time->tv_nsec < kSecond; }

inline uint64_t nanoseconds_of(const timespec &span) {
  if (span.tv_sec < 0)
    return 0;
  constexpr long kLongest = 1'000'000'000; // thirty years
  return static_cast<uint64_t>(span.tv_sec < kLongest ? span.tv_sec : kLongest) * kSecond +
         static_cast<uint64_t>(span.tv_nsec);
}

inline uint64_t from_now(clockid_t clock, const timespec *until) {
  if (!until)
    return os::kForever;
  timespec now{};
  clock_gettime(clock, &now);
  timespec span{until->tv_sec - now.tv_sec, until->tv_nsec - now.tv_nsec};
  if (span.tv_nsec < 0) {
    --span.tv_sec;
    span.tv_nsec += kSecond;
  }
  constexpr uint64_t kMillisecond = 1'000'000;
  return (nanoseconds_of(span) + kMillisecond - 1) / kMillisecond * kMillisecond;
}

} // namespace culprit::interface
