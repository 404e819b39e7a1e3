// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/watch/keys.h"

namespace culprit::cli {

namespace {

// Behind ESC: `[` or `O`, parameters, and a letter that ends it. Returns how long it is.
size_t escape_length(std::string_view bytes) {
  if (bytes.size() < 2 || (bytes[1] != '[' && bytes[1] != 'O'))
    return 1;
  size_t end = 2;
  while (end < bytes.size() && (bytes[end] < '@' || bytes[end] > '~'))
    ++end;
  return end < bytes.size() ? end + 1 : end;
}

} // namespace

std::vector<Key> keys_in(std::string_view bytes) {
  constexpr char kEscape = '\x1b';
  std::vector<Key> keys;
  while (!bytes.empty()) {
    size_t length = 1;
    const char first = bytes[0];
    if (first == kEscape) {
      length = escape_length(bytes);
      const char last = length >= 3 ? bytes[length - 1] : '\0';
      if (last == 'A')
        keys.push_back({KeyKind::up});
      else if (last == 'B')
        keys.push_back({KeyKind::down});
    } else if (first == 'q' || first == 'Q')
      keys.push_back({KeyKind::quit});
    else if (first == 'p' || first == 'P' || first == ' ')
      keys.push_back({KeyKind::pause});
    else if (first == 'k')
      keys.push_back({KeyKind::up});
    else if (first == 'j')
      keys.push_back({KeyKind::down});
    else if (first >= '1' && first <= '9')
      keys.push_back({KeyKind::number, static_cast<size_t>(first - '0')});
    bytes.remove_prefix(length);
  }
  return keys;
}

} // namespace culprit::cli
