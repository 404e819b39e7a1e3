// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that append records of kind 999 for ever: number of the thread, number of the record,
// filler of changing length. What append() has returned from is counted in a shared file named by
// the argument.
#include "runtime/run_file/writer.h"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

int main(int argc, char **argv) {
  int file = argc > 1 ? open(argv[1], O_RDWR | O_CREAT, 0600) : -1;
  if (file < 0 || ftruncate(file, 4096) != 0)
    return 2;
  void *memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED)
    return 2;
  auto *counts = static_cast<std::atomic<uint64_t> *>(memory);
  auto append = [counts](uint64_t thread) {
    char filler[300];
    std::memset(filler, static_cast<int>(thread), sizeof filler);
    for (uint64_t number = 0;; ++number) {
      uint64_t head[2] = {thread, number};
      culprit::run_file::Part parts[] = {{head, sizeof head}, {filler, number % 300}};
      culprit::run_file::append(static_cast<culprit_record_kind>(999), parts, 2);
      counts[thread].store(number + 1, std::memory_order_release);
    }
  };
  std::thread second(append, 1);
  append(0);
}
