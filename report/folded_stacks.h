// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Call stacks, equal ones folded together and counted, the most frequent first:
// "insert_after ← load ← main 87 % · resize ← main 9 % · other 4 %".
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

namespace culprit::report {

struct FoldedStack {
  std::vector<size_t> members; // indexes of the stacks given, in order
  double share = 0;            // of all
};

// Equal by `names` (one list of function names for each stack, innermost first).
std::vector<FoldedStack> fold(std::span<const std::vector<std::string>> names);

// [{"function": …}, …] → "insert ← load ← main"; the middle of a deep stack is left out.
std::string chain_text(const nlohmann::ordered_json &frames);

// [{"frames": […], "share": …}, …]: the first `most` of them, and what is left as "other".
std::string folded_text(const nlohmann::ordered_json &stacks, size_t most);

} // namespace culprit::report
