// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/folded_stacks.h"

#include "report/excerpt.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>

namespace culprit::report {

std::string function_text(std::string name) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  for (size_t at = name.find(kAnonymous); at != std::string::npos; at = name.find(kAnonymous))
    name.erase(at, kAnonymous.size());
  return name;
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
    text += (i == 0 ? "" : " ← ") + function_text(printable(frames[i].value("function", "?")));
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
