// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See template_arguments.h.
#include "report/template_arguments.h"

#include <optional>

namespace culprit::report {

namespace {

constexpr size_t kLong = 32; // characters between < and >

// "operator<", "operator->" and "->" have brackets that enclose nothing.
bool is_bracket(std::string_view text, size_t at) {
  if (at != 0 && text[at] == '>' && text[at - 1] == '-')
    return false;
  const size_t begin = text.find_last_not_of("<>=-", at);
  return begin == std::string_view::npos || !text.substr(0, begin + 1).ends_with("operator");
}

// Where the list that opens at `open` closes; nothing: it does not.
std::optional<size_t> end_of(std::string_view text, size_t open) {
  size_t depth = 0;
  for (size_t at = open; at < text.size(); ++at) {
    if ((text[at] != '<' && text[at] != '>') || !is_bracket(text, at))
      continue;
    depth = text[at] == '<' ? depth + 1 : depth - 1;
    if (depth == 0)
      return at;
  }
  return std::nullopt;
}

// "first" or "first, …": the first of the arguments, without long lists of its own.
std::string first_of(std::string_view arguments) {
  std::string first;
  for (size_t at = 0; at < arguments.size(); ++at) {
    if (arguments[at] == ',')
      return first + ", …";
    const auto end =
        arguments[at] == '<' && is_bracket(arguments, at) ? end_of(arguments, at) : std::nullopt;
    if (end && *end - at - 1 <= kLong)
      first += arguments.substr(at, *end - at + 1);
    else if (end)
      first += "<…>";
    else
      first += arguments[at];
    at = end.value_or(at);
  }
  first.erase(first.find_last_not_of(' ') + 1); // as in "pair<int, int> >"
  return first;
}

} // namespace

std::string without_long_arguments(std::string_view text) {
  std::string result;
  for (size_t at = 0; at < text.size(); ++at) {
    const auto end = text[at] == '<' && is_bracket(text, at) ? end_of(text, at) : std::nullopt;
    if (!end || *end - at - 1 <= kLong) {
      const size_t last = end.value_or(at);
      result += text.substr(at, last - at + 1);
      at = last;
      continue;
    }
    result += "<" + first_of(text.substr(at + 1, *end - at - 1)) + ">";
    at = *end;
  }
  return result;
}

std::string without_arguments(std::string_view text) {
  std::string result;
  for (size_t at = 0; at < text.size(); ++at) {
    const auto end = text[at] == '<' && is_bracket(text, at) ? end_of(text, at) : std::nullopt;
    if (!end)
      result += text[at];
    else if (result.ends_with(' ')) // "operator<< <char>"
      result.pop_back();
    at = end.value_or(at);
  }
  return result;
}

} // namespace culprit::report
