// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file descriptor with an owner. Everything this folder opens is close-on-exec and numbered 3 or
// higher, so that a child's descriptors 0, 1 and 2 can be set with dup2 without treading on one of
// ours.
#pragma once

#include <sys/types.h>
#include <utility>

namespace culprit::launch {

class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor &&other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor &operator=(Descriptor &&other) noexcept {
    if (this != &other) {
      close();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() { close(); }

  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void close();

private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read_end;
  Descriptor write_end;
};

// Both return closed descriptors on failure, with errno set.
Pipe open_pipe();
Descriptor open_file(const char *path, int flags, unsigned mode = 0);

// Becomes readable when the process has ended.
Descriptor open_process(pid_t process);

// Takes over `number`, moving it out of the way of those a child gets.
inline constexpr int kLowestDescriptor = 10;
Descriptor adopt(int number);

} // namespace culprit::launch
