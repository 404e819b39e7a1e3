// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/wrap.h"

#include <algorithm>
#include <string_view>

namespace culprit::report {

namespace {

constexpr size_t kLeast = 20; // columns of words behind the indentation

// Behind the escape sequence at `at`; `at` itself, if there is none.
size_t behind_escape(std::string_view text, size_t at) {
  if (text.substr(at, 2) != "\x1b[")
    return at;
  const size_t end = text.find('m', at);
  return end == std::string_view::npos ? text.size() : end + 1;
}

std::string without_colours(std::string_view line) {
  std::string plain;
  for (size_t at = 0; at < line.size();)
    if (const size_t behind = behind_escape(line, at); behind != at)
      at = behind;
    else
      plain += line[at++];
  return plain;
}

// What the lines behind the first begin with: below a note's words, or on with the bar of a source
// excerpt.
std::string continuation(std::string_view line) {
  const size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const std::string_view rest = line.substr(begin);
  if (rest.starts_with("| "))
    return std::string(line.substr(0, begin + 2));
  return std::string(begin + (begin == 0 ? 4 : 2), ' ');
}

// Commands, and lines of a source with their numbers.
bool stays_whole(std::string_view line) {
  const size_t begin = line.find_first_not_of(" 0123456789");
  const bool is_source = begin != std::string_view::npos && begin > 1 &&
                         line.substr(begin).starts_with("| ") &&
                         line.find_first_of("0123456789") < begin;
  return is_source || line.starts_with("next: ");
}

void add_wrapped(std::string &out, std::string_view line, size_t columns) {
  const std::string indent = continuation(without_colours(line));
  const size_t room = std::max(columns, columns_of(indent) + kLeast);
  size_t used = 0;
  size_t at = std::min(line.find_first_not_of(' '), line.size());
  out += line.substr(0, at);
  used = at;
  bool first = true; // word of its line
  while (at < line.size()) {
    const size_t end = std::min(line.find(' ', at), line.size());
    const std::string_view word = line.substr(at, end - at);
    const size_t wide = columns_of(word);
    if (!first && used + 1 + wide > room) {
      out += "\n" + indent;
      used = columns_of(indent);
    } else if (!first) {
      out += ' ';
      ++used;
    }
    out += word;
    used += wide;
    first = false;
    at = end + 1;
  }
  out += '\n';
}

} // namespace

size_t columns_of(std::string_view text) {
  size_t columns = 0;
  for (size_t at = 0; at < text.size();) {
    if (const size_t behind = behind_escape(text, at); behind != at) {
      at = behind;
      continue;
    }
    columns += (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80 ? 0 : 1;
    ++at;
  }
  return columns;
}

std::string wrapped(const std::string &text, size_t columns) {
  if (columns == 0)
    return text;
  std::string out;
  const std::string_view view = text;
  for (size_t at = 0; at < view.size();) {
    const size_t end = std::min(view.find('\n', at), view.size());
    const std::string_view line = view.substr(at, end - at);
    if (columns_of(line) <= columns || stays_whole(without_colours(line)))
      out.append(line).append("\n");
    else
      add_wrapped(out, line, columns);
    at = end + 1;
  }
  return out;
}

} // namespace culprit::report
