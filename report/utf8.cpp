// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/utf8.h"

#include <algorithm>

namespace culprit::report {

Character decode(std::string_view bytes, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  const uint8_t first = byte(at);
  if (first < 0x80)
    return {first, 1};
  const size_t length = first >= 0xf0 && first <= 0xf4   ? 4
                        : first >= 0xe0 && first <= 0xef ? 3
                        : first >= 0xc2 && first <= 0xdf ? 2
                                                         : 0;
  if (length == 0 || at + length > bytes.size())
    return {};
  uint32_t code = first & (0xffU >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80)
      return {};
    code = code << 6 | (byte(at + i) & 0x3fU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return overlong || surrogate || code > 0x10ffff ? Character{} : Character{code, length};
}

bool is_control(uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

bool is_deceptive(uint32_t code) {
  return code == 0xad || code == 0x61c || (code >= 0x200b && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) ||
         code == 0xfeff || (code >= 0xfff9 && code <= 0xfffb) ||
         (code >= 0xe0000 && code <= 0xe0fff);
}

bool is_noncharacter(uint32_t code) {
  return (code & 0xfffeU) == 0xfffeU || (code >= 0xfdd0 && code <= 0xfdef);
}

std::string printable(std::string_view text) {
  std::string clean(text);
  std::ranges::replace(clean, '\t', ' ');
  for (size_t at = 0; at < clean.size();) {
    const auto [code, length] = decode(clean, at);
    const size_t bytes = std::max<size_t>(length, 1);
    if (length == 0 || is_control(code) || is_deceptive(code) || is_noncharacter(code))
      clean.replace(at, bytes, bytes, '?');
    at += bytes;
  }
  return clean;
}

} // namespace culprit::report
