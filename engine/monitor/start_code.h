// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What calls main in every program says nothing about this one.
#pragma once

#include <string_view>

namespace culprit::monitor {

inline bool is_start_code(std::string_view function) {
  return function == "_start" || function.starts_with("__libc_start_");
}

} // namespace culprit::monitor
