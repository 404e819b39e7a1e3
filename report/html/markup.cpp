// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/html/markup.h"

#include "report/utf8.h"

#include <cstdint>
#include <fmt/format.h>

namespace culprit::report::html {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd"; // U+FFFD

void append_visible(std::string &out, std::string_view bytes, uint32_t code) {
  if (code == '\t')
    out += '\t';
  else if (code < 0x20 || code == 0x7f) { // U+2400 and on are pictures of these
    const uint32_t picture = code == 0x7f ? 0x21 : code;
    out += "\xe2\x90";
    out += static_cast<char>(0x80 + picture);
  } else if ((code >= 0x80 && code < 0xa0) || is_noncharacter(code))
    out += kReplacement;
  else if (is_deceptive(code))
    out += fmt::format("\xe2\x9f\xa8U+{:04X}\xe2\x9f\xa9", code);
  else
    out += bytes;
}

void append_escaped(std::string &out, std::string_view bytes, uint32_t code) {
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
  default:
    append_visible(out, bytes, code);
  }
}

template <typename Append> std::string each_character(std::string_view text, Append append) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const Character character = decode(text, at);
    if (character.length == 0) {
      out += kReplacement;
      ++at;
      continue;
    }
    append(out, text.substr(at, character.length), character.code);
    at += character.length;
  }
  return out;
}

std::string beginning(Literal name, const Attributes &attributes) {
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
  return out;
}

} // namespace

std::string visible(std::string_view text) { return each_character(text, append_visible); }

std::string escaped(std::string_view text) { return each_character(text, append_escaped); }

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

Markup single(Literal name, const Attributes &attributes) {
  return Markup(beginning(name, attributes));
}

Markup element(Literal name, const Attributes &attributes, const Markup &inside) {
  std::string out = beginning(name, attributes);
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
