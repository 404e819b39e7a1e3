// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See unwind.h.
#include "runtime/unwind/unwind.h"

#include "runtime/os/memory.h"
#include "runtime/start/options.h"

namespace culprit::unwind {

__thread os::StackLimits g_limits __attribute__((tls_model("initial-exec")));

namespace {

struct Frame {
  uintptr_t caller;
  uintptr_t return_address;
};

__thread bool g_searched __attribute__((tls_model("initial-exec")));

bool is_frame_readable(uintptr_t frame, uintptr_t &known_page) {
  const uintptr_t words[] = {frame, frame + sizeof(uintptr_t)};
  for (uintptr_t address : words) {
    uintptr_t page = address & ~(os::kOsPage - 1);
    if (page == known_page)
      continue;
    if (!os::is_readable(page))
      return false;
    known_page = page;
  }
  return true;
}

// `lowest`: frames lie above it. `highest`: and up to here all can be read; 0: who knows.
size_t follow(uintptr_t frame, uintptr_t lowest, uintptr_t highest, uintptr_t *frames, size_t count,
              size_t max) {
  uintptr_t known_page = ~uintptr_t{0}; // none: the first page of all is not readable either
  while (count < max && frame > lowest && !(frame & (sizeof(uintptr_t) - 1))) {
    if (highest ? frame > highest - sizeof(Frame) : !is_frame_readable(frame, known_page))
      break;
    Frame current = *reinterpret_cast<const Frame *>(frame);
    if (current.return_address < os::kOsPage)
      break; // _start and thread entries end the chain with zero
    frames[count++] = current.return_address;
    lowest = frame;
    frame = current.caller;
  }
  return count;
}

size_t begin_with(uintptr_t pc, uintptr_t *frames, size_t max) {
  if (!pc || !max)
    return 0;
  frames[0] = pc;
  return 1;
}

} // namespace

// Once per thread. A handler that interrupts the search makes it twice: both write the same.
[[gnu::noinline]] const os::StackLimits &find_limits(uintptr_t stack_pointer) {
  if (!g_searched) {
    g_limits = os::find_stack(stack_pointer);
    g_searched = true;
  }
  return g_limits;
}

[[gnu::noinline]] size_t capture_from(uintptr_t frame, uintptr_t pc, uintptr_t *frames,
                                      size_t max) {
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const os::StackLimits &limits = find_limits(here);
  bool own_stack = here >= limits.low && here < limits.high;
  return follow(frame, own_stack ? here : 0, own_stack ? limits.high : 0, frames,
                begin_with(pc, frames, max), max);
}

size_t capture_interrupted(uintptr_t frame, uintptr_t pc, uintptr_t *frames, size_t max) {
  return follow(frame, 0, 0, frames, begin_with(pc, frames, max), max);
}

[[gnu::noinline, clang::disable_tail_calls]] size_t capture(uintptr_t *frames, size_t max) {
  auto own = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return capture_from(own, 0, frames, max);
}

size_t depth() {
  uint64_t wanted = start::options().stack_depth;
  return wanted < kMaxDepth ? static_cast<size_t>(wanted) : kMaxDepth;
}

} // namespace culprit::unwind
