// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A report for a terminal of few columns: lines that are too long go on in the next one, below
// their own beginning, so that what is indented stays so.
//
// Rules: lines are broken between words alone. Commands to be typed (`next:`) stay whole, since
// what is copied from a terminal must work. Colours take no room.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace culprit::report {

// Columns that text takes, near enough: characters, not bytes, without escape sequences of colour.
size_t columns_of(std::string_view text);

// 0 columns: as it is.
std::string wrapped(const std::string &text, size_t columns);

} // namespace culprit::report
