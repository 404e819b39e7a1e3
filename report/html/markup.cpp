// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/html/markup.h"

#include <cstdint>
#include <fmt/format.h>

namespace culprit::report::html {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd"; // U+FFFD

struct Decoded {
  uint32_t code = 0;
  size_t length = 0; // 0: no character begins here
};

// The character that begins at `at`, by the rules of RFC 3629: none is longer than it need be, is a
// surrogate or lies beyond U+10FFFF.
Decoded decode(std::string_view bytes, size_t at) {
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
  return overlong || surrogate || code > 0x10ffff ? Decoded{} : Decoded{code, length};
}

// Changes the direction of what follows, or cannot be seen: a name may pretend to be another.
bool is_deceptive(uint32_t code) {
  return code == 0xad || code == 0x61c || (code >= 0x200b && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) ||
         code == 0xfeff || (code >= 0xfff9 && code <= 0xfffb) ||
         (code >= 0xe0000 && code <= 0xe0fff);
}

void append_character(std::string &out, std::string_view bytes, uint32_t code) {
  switch (code) {
  case '&':
    out += "&amp;";
    return;
  case '<':
    out += "&lt;";
    return;
  case '>':
    out += "&gt;";
    return;
  case '"':
    out += "&quot;";
    return;
  case '\'':
    out += "&#39;";
    return;
  case '\t':
    out += '\t';
    return;
  default:
    break;
  }
  if (code < 0x20 || code == 0x7f) { // U+2400 and on are pictures of these
    const uint32_t picture = code == 0x7f ? 0x21 : code;
    out += "\xe2\x90";
    out += static_cast<char>(0x80 + picture);
  } else if ((code >= 0x80 && code < 0xa0) || (code & 0xfffeU) == 0xfffeU)
    out += kReplacement;
  else if (is_deceptive(code))
    out += fmt::format("\xe2\x9f\xa8U+{:04X}\xe2\x9f\xa9", code);
  else
    out += bytes;
}

} // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const Decoded character = decode(text, at);
    if (character.length == 0) {
      out += kReplacement;
      ++at;
      continue;
    }
    append_character(out, text.substr(at, character.length), character.code);
    at += character.length;
  }
  return out;
}

Markup text(std::string_view text) { return Markup(escaped(text)); }

Markup lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    out += escaped(text.substr(0, end));
    if (end == std::string_view::npos)
      break;
    out += '\n';
    text.remove_prefix(end + 1);
  }
  return Markup(std::move(out));
}

Markup element(Literal name, const Attributes &attributes, const Markup &inside) {
  std::string out = "<";
  out += name.view();
  for (const auto &[key, value] : attributes) {
    if (key.view() == "href" && !value.starts_with('#'))
      continue;
    out += ' ';
    out += key.view();
    out += "=\"";
    out += escaped(value);
    out += '"';
  }
  out += '>';
  out += inside.bytes();
  out += "</";
  out += name.view();
  out += '>';
  return Markup(std::move(out));
}

Markup element(Literal name, const Attributes &attributes, std::string_view inside) {
  return element(name, attributes, text(inside));
}

Markup element(Literal name, const Markup &inside) { return element(name, Attributes{}, inside); }

Markup element(Literal name, std::string_view inside) {
  return element(name, Attributes{}, text(inside));
}

Markup shape(Literal name, const Attributes &attributes) {
  return element(name, attributes, Markup());
}

Markup joined(std::initializer_list<Markup> parts) {
  Markup all;
  for (const Markup &part : parts)
    all += part;
  return all;
}

} // namespace culprit::report::html
