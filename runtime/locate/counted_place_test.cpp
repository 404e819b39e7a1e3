// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/locate/counted_place.h"

#include <gtest/gtest.h>

#include <csignal>

// Two copies of one access (place 7) and another's (place 8), with rows as the pass writes them.
#define STORE(place)                                                                               \
  "1:\tmovl %1, %0\n\t.pushsection counted_rows,\"aR\",@progbits\n\t.balign 4\n\t"                 \
  ".long 1b-., " #place "\n\t.asciz \"\"\n\t.balign 4\n\t.popsection"

extern "C" {
// NOLINTBEGIN(readability-identifier-naming): the linker's
extern const char __start_counted_rows[];
extern const char __stop_counted_rows[];
// NOLINTEND(readability-identifier-naming)
}

namespace culprit::locate {
namespace {

[[gnu::noinline]] void first(int *to, int value) {
  asm volatile(STORE(7) : "=m"(*to) : "r"(value));
}
[[gnu::noinline]] void second(int *to, int value) {
  asm volatile(STORE(7) : "=m"(*to) : "r"(value));
}
[[gnu::noinline]] void other(int *to, int value) {
  asm volatile(STORE(8) : "=m"(*to) : "r"(value));
}

void trapped(int, siginfo_t *info, void *context) {
  if (!take_breakpoint(info->si_code, static_cast<ucontext_t *>(context)))
    _exit(9);
}

// In a child: the code of this process stays as it is.
int in_child(void (*work)()) {
  const pid_t child = fork();
  if (child == 0) {
    struct sigaction action{};
    action.sa_sigaction = trapped;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGTRAP, &action, nullptr);
    work();
    _exit(10);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(CountedPlace, EveryExecutionOfEveryCopyIsCountedAndMade) {
  EXPECT_EQ(in_child([] {
              if (!count_place({__start_counted_rows, __stop_counted_rows}, 7))
                _exit(1);
              int at = 0;
              for (int i = 1; i <= 1000; ++i) {
                (i % 3 != 0 ? first : second)(&at, i);
                if (at != i)
                  _exit(2);
                other(&at, -i);
                if (at != -i)
                  _exit(3);
              }
              _exit(executions_of_place() == 1000 ? 0 : 4);
            }),
            0);
}

TEST(CountedPlace, APlaceWithoutInstructionsIsNotCounted) {
  EXPECT_FALSE(count_place({__start_counted_rows, __stop_counted_rows}, 9));
  EXPECT_EQ(executions_of_place(), 0U);
}

TEST(CountedPlace, TrapsOfOthersAreTheirs) {
  EXPECT_EQ(in_child([] {
              count_place({__start_counted_rows, __stop_counted_rows}, 7);
              asm volatile("int3");
            }),
            9);
}

} // namespace
} // namespace culprit::locate
