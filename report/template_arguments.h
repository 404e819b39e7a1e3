// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of C++ types and functions without what is too long to be read: of the document's names a
// first line shows the first of long template arguments, the rest is an ellipsis; of a library
// function called only its name is told.
#pragma once

#include <string>
#include <string_view>

namespace culprit::report {

// "std::vector<std::basic_string<char, …>, std::allocator<…>>::push_back" becomes
// "std::vector<std::basic_string<…>, …>::push_back". Text that holds no such lists, or some that do
// not close, stays as it is.
std::string without_long_arguments(std::string_view text);

// "std::vector<int, std::allocator<int>>::push_back" becomes "std::vector::push_back".
std::string without_arguments(std::string_view text);

} // namespace culprit::report
