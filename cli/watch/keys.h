// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a terminal sends when keys of the live view are pressed.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace culprit::cli {

enum class KeyKind { quit, pause, up, down, number };

struct Key {
  KeyKind kind;
  size_t number = 0; // of a digit, from 1
  bool operator==(const Key &) const = default;
};

// Keys that mean nothing here are left out, as are sequences that are cut short.
std::vector<Key> keys_in(std::string_view bytes);

} // namespace culprit::cli
