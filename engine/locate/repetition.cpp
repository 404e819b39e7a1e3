// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See repetition.h.
#include "engine/locate/repetition.h"

#include <utility>

namespace culprit::locate {

namespace {

// A busy machine may come in between once or twice.
constexpr int kMost = 4;

} // namespace

Result<Repetition> repeat_alone(const std::function<Result<Execution>()> &execute) {
  auto last = execute();
  if (!last)
    return std::unexpected(last.error());
  std::string differs;
  for (int count = 1; count < kMost; ++count) {
    if (last->status.ending == launch::Ending::cancelled)
      return fail("interrupted");
    auto next = execute();
    if (!next)
      return std::unexpected(next.error());
    differs = difference(*last, *next);
    if (differs.empty())
      break;
    last = std::move(next);
  }
  return Repetition{std::move(*last), std::move(differs)};
}

} // namespace culprit::locate
