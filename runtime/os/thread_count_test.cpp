// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/os/thread_count.h"

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

} // namespace
} // namespace culprit::os
