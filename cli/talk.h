// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every command says in the same way: errors, exit codes, the word about a flavour being made.
#pragma once

#include "engine/error.h"

#include <string_view>

namespace culprit::cli {

// Exit codes of the contract with users: 0 done, 1 findings, 2 the job could not be done.
inline constexpr int kDone = 0;
inline constexpr int kFindings = 1;
inline constexpr int kCannot = 2;

// Prints `culprit: error: …` and the hint to standard error; returns kCannot.
int report_error(const Error &error);

// Tells on standard error that a flavour is being made: the first use of a program takes seconds.
void say_making(bool quiet, std::string_view flavour, std::string_view file);

} // namespace culprit::cli
