// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folded call stacks in one line, the most frequent first:
// "insert_after ← load ← main 87 % · resize ← main 9 % · other 4 %".
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace culprit::report {

// A C++ name without the words that every function of a program's own has.
std::string function_text(std::string name);

// [{"function": …}, …] → "insert ← load ← main"; the middle of a deep stack is left out.
std::string chain_text(const nlohmann::ordered_json &frames);

// [{"frames": […], "share": …}, …]: the first `most` of them, and what is left as "other".
std::string folded_text(const nlohmann::ordered_json &stacks, size_t most);

} // namespace culprit::report
