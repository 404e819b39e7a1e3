// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/repeat.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace culprit::launch {
namespace {

constexpr size_t kShown = 60;

bool ended_by_itself(const Status &status) {
  return status.ending == Ending::exited || status.ending == Ending::signalled;
}

// The line of `text` that holds byte `at`, shortened, with what a terminal would act on made
// visible.
std::string line_at(std::string_view text, size_t at) {
  at = std::min(at, text.size());
  size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  size_t begin = before == std::string_view::npos ? 0 : before + 1;
  if (at - begin > kShown / 2)
    begin = at - kShown / 2;
  std::string shown;
  for (char c : text.substr(begin, kShown)) {
    if (c == '\n')
      break;
    shown += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? '?' : c;
  }
  return shown;
}

std::string difference(std::string_view name, std::string_view first, std::string_view second) {
  if (first == second)
    return {};
  auto [a, b] = std::ranges::mismatch(first, second);
  auto at = static_cast<size_t>(a - first.begin());
  auto line = std::count(first.begin(), a, '\n') + 1;
  return fmt::format("{} differs at line {}: '{}' and '{}'", name, line, line_at(first, at),
                     line_at(second, at));
}

} // namespace

std::string first_difference(const Outcome &first, const Outcome &second) {
  if (first.status != second.status)
    return fmt::format("the end differs: {} and {}", describe(first.status),
                       describe(second.status));
  if (!ended_by_itself(first.status))
    return {};
  std::string out = difference("standard output", first.out, second.out);
  if (!out.empty())
    return out;
  if (first.out_discarded != second.out_discarded || first.err_discarded != second.err_discarded)
    return "the amount of output differs";
  return difference("standard error", first.err, second.err);
}

Result<Repetition> repeatable(const Request &request, std::stop_token stop) {
  Result<Outcome> first = run(request, stop);
  if (!first)
    return std::unexpected(first.error());
  Result<Outcome> second = run(request, stop);
  if (!second)
    return std::unexpected(second.error());
  Repetition result;
  result.difference = first_difference(*first, *second);
  if (first->status.ending == Ending::cancelled || second->status.ending == Ending::cancelled)
    result.difference = "cancelled before both executions were done";
  result.equal = result.difference.empty();
  result.first = std::move(*first);
  return result;
}

} // namespace culprit::launch
