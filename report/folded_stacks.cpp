// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/folded_stacks.h"

#include "report/excerpt.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace culprit::report {

std::vector<FoldedStack> fold(std::span<const std::vector<std::string>> names) {
  std::vector<FoldedStack> folded;
  std::map<std::vector<std::string>, size_t> place;
  for (size_t i = 0; i < names.size(); ++i) {
    const auto [entry, is_new] = place.try_emplace(names[i], folded.size());
    if (is_new)
      folded.emplace_back();
    folded[entry->second].members.push_back(i);
  }
  for (FoldedStack &stack : folded)
    stack.share = static_cast<double>(stack.members.size()) / static_cast<double>(names.size());
  // Equally frequent ones stay in the order of the run.
  std::ranges::sort(folded, {}, [](const FoldedStack &stack) {
    return std::pair(-static_cast<std::ptrdiff_t>(stack.members.size()), stack.members.front());
  });
  return folded;
}

std::string chain_text(const nlohmann::ordered_json &frames) {
  constexpr size_t kInnermost = 4;
  std::string text;
  for (size_t i = 0; i < frames.size(); ++i) {
    if (i >= kInnermost && i + 1 < frames.size()) {
      if (i == kInnermost)
        text += " ← …";
      continue;
    }
    text += (i == 0 ? "" : " ← ") + printable(frames[i].value("function", "?"));
  }
  return text;
}

std::string folded_text(const nlohmann::ordered_json &stacks, size_t most) {
  std::string text;
  double rest = 0;
  for (size_t i = 0; i < stacks.size(); ++i) {
    const double share = stacks[i].value("share", 0.0);
    if (i >= most) {
      rest += share;
      continue;
    }
    text += fmt::format("{}{} {:.0f} %", i == 0 ? "" : " · ", chain_text(stacks[i].at("frames")),
                        share * 100);
  }
  if (rest > 0)
    text += fmt::format(" · other {:.0f} %", rest * 100);
  return text;
}

} // namespace culprit::report
