// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Frames that are left in every way there is, with buffers written where they were: no return
// address is ever overwritten here. And faults that are mended, after which the program goes on
// exactly where it was.
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <sys/mman.h>
#include <thread>
#include <ucontext.h>

namespace {

jmp_buf back;
volatile char *guarded;
volatile long mended;
long tried[4];

__attribute__((noinline)) void fill(int depth) {
  char room[200];
  std::memset(room, depth, sizeof room);
  asm volatile("" : : "r"(room) : "memory");
  if (depth > 0)
    fill(depth - 1);
  asm volatile(""); // no tail call
}

__attribute__((noinline)) void fall(int depth, bool by_jump) {
  char room[56];
  std::memset(room, depth, sizeof room);
  asm volatile("" : : "r"(room) : "memory");
  if (depth == 0) {
    if (by_jump)
      longjmp(back, 1);
    throw std::runtime_error("fell");
  }
  fall(depth - 1, by_jump);
  asm volatile("");
}

// Ends with a jump into the C library.
__attribute__((noinline)) void drop(void *block) { std::free(block); }

__attribute__((noinline)) void grow(int bytes) {
  auto *room = static_cast<char *>(__builtin_alloca(static_cast<size_t>(bytes)));
  std::memset(room, 1, static_cast<size_t>(bytes));
  asm volatile("" : : "r"(room) : "memory");
}

void mend(int, siginfo_t *, void *) {
  mprotect(const_cast<char *>(guarded), 4096, PROT_READ | PROT_WRITE);
  mended = mended + 1;
}

// The fault is in the middle of other writes, none of which may happen twice.
__attribute__((noinline)) void write_guarded(long *counts) {
  mprotect(const_cast<char *>(guarded), 4096, PROT_NONE);
  counts[0] += 1;
  counts[1] += 1;
  *guarded = 1;
  counts[2] += 1;
  counts[3] += 1;
}

ucontext_t here, there;
void other_stack() {
  fill(3);
  swapcontext(&there, &here);
}

} // namespace

int main() {
  for (int i = 0; i < 50; ++i) {
    try {
      fall(i % 7, false);
    } catch (const std::exception &) {
      fill(i % 9);
    }
    if (setjmp(back) == 0)
      fall(i % 5, true);
    fill(i % 11);
    drop(std::malloc(40));
    grow(i * 16 + 1);
    std::thread(fill, i % 6).join();
  }
  auto *stack = static_cast<char *>(std::malloc(1 << 16));
  getcontext(&there);
  there.uc_stack.ss_sp = stack;
  there.uc_stack.ss_size = 1 << 16;
  there.uc_link = &here;
  makecontext(&there, other_stack, 0);
  swapcontext(&here, &there);
  fill(8);

  guarded = static_cast<char *>(mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  struct sigaction action = {};
  action.sa_sigaction = mend;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
  for (int i = 0; i < 3; ++i)
    write_guarded(tried);
  std::printf("%ld %ld %ld %ld %ld\n", mended, tried[0], tried[1], tried[2], tried[3]);
  return mended == 3 && tried[0] == 3 && tried[1] == 3 && tried[2] == 3 && tried[3] == 3 ? 0 : 1;
}
