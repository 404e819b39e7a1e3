// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/os/thread_count.h"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace culprit::os {
namespace {

TEST(ThreadCount, CountsThreadsThatRun) {
  std::atomic<bool> go = false;
  std::vector<std::thread> threads;
  unsigned before = thread_count();
  for (int i = 0; i < 100; ++i) // more than one reading of the directory gives
    threads.emplace_back([&] { go.wait(false); });
  EXPECT_EQ(thread_count(), before + 100);
  go = true;
  go.notify_all();
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(thread_count(), before);
}

std::string task_of(pid_t thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string text;
  std::getline(file, text);
  return text;
}

// A first thread that leaves before the others stays listed until the process ends: what a joined
// one is for a moment only.
TEST(ThreadCount, AThreadThatHasLeftButIsStillListedDoesNotCount) {
  const pid_t child = ::fork();
  if (child == 0) {
    const pid_t first = ::getpid();
    std::thread([first] {
      while (task_of(first).find(") Z ") == std::string::npos)
        std::this_thread::yield();
      ::_exit(static_cast<int>(thread_count()));
    }).detach();
    ::syscall(SYS_exit, 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
}

// The kernel's list ends early where a thread leaves it while it is read: whoever counts, and the
// first thread, are there all the same.
TEST(ThreadCount, ThreadsThatLeaveMeanwhileHideNoOther) {
  unsigned least = ~0U;
  for (int round = 0; round < 600; ++round) {
    std::atomic<int> left = 8;
    std::vector<std::thread> leaving; // listed before the one that counts, each for a little longer
    for (int i = 0; i < 8; ++i)
      leaving.emplace_back([&, i] {
        for (volatile int spins = 0; spins < 4000 * i; spins = spins + 1) {
        }
        --left;
      });
    std::thread counting([&] {
      do
        least = std::min(least, thread_count());
      while (left);
    });
    counting.join();
    for (std::thread &thread : leaving)
      thread.join();
  }
  EXPECT_GE(least, 2U);
}

} // namespace
} // namespace culprit::os
