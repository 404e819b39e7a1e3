// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors are values in the engine and become sentences in cli/: `what` is one line that names the
// file or the thing at fault, `hint` (may be empty) says what to do next.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace culprit {

struct Error {
  std::string what;
  std::string hint;
};

template <typename T> using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(std::string what, std::string hint = {}) {
  return std::unexpected(Error{std::move(what), std::move(hint)});
}

} // namespace culprit
