// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The terminal while the live view has it: its other screen, no cursor, keys without echo. Whatever
// ends the process gives it back as it was: the end of a Screen, and the second Ctrl-C.
//
// Rules: plain ANSI, no terminal database. Ctrl-C stays a signal. Keys come from standard input if
// that is the terminal, else (it was captured for the program) from the terminal itself.
#pragma once

#include "cli/watch/keys.h"
#include "engine/launch/descriptor.h"

#include <chrono>
#include <string>
#include <vector>

namespace culprit::cli {

class Screen {
public:
  // Can `descriptor` show the view?
  static bool is_there(int descriptor);

  explicit Screen(int descriptor);
  Screen(const Screen &) = delete;
  Screen &operator=(const Screen &) = delete;
  ~Screen();

  struct Size {
    size_t width;
    size_t height;
  };
  Size size() const;
  void draw(const std::vector<std::string> &lines) const;
  // Those that were pressed; waits for one, but no longer than `patience`.
  std::vector<Key> keys(std::chrono::milliseconds patience);

private:
  int descriptor_;
  launch::Descriptor keys_; // closed: there are no keys
};

} // namespace culprit::cli
