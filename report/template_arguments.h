// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of C++ types as a first line shows them: of long template arguments the first, the rest is
// an ellipsis. The document keeps them whole.
#pragma once

#include <string>
#include <string_view>

namespace culprit::report {

// "std::vector<std::basic_string<char, …>, std::allocator<…>>::push_back" becomes
// "std::vector<std::basic_string<…>, …>::push_back". Text that holds no such lists, or some that do
// not close, stays as it is.
std::string without_long_arguments(std::string_view text);

} // namespace culprit::report
