// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The live view in the terminal, from its beginning to its end; where standard output is none, a
// line now and then.
#pragma once

#include "cli/watch/feed.h"
#include "report/style.h"

#include <stop_token>
#include <thread>

namespace culprit::cli {

class Showing {
public:
  Showing(Feed &feed, report::Style style);

private:
  void draw(const std::stop_token &stop) const;
  void say(const std::stop_token &stop) const;

  Feed &feed_;
  report::Style style_;
  std::jthread thread_; // last: starts when all else is there
};

} // namespace culprit::cli
