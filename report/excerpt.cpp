// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/excerpt.h"

#include "report/wrap.h"

#include <algorithm>
#include <fmt/format.h>

namespace culprit::report {

namespace {

size_t columns(std::string_view text) { return columns_of(text); }

// Where the statement that begins at `from` ends: its semicolon is left out.
size_t end_of_statement(std::string_view text, size_t from) {
  size_t end = std::min(text.find(';', from), text.size());
  end = std::min({end, text.find("//", from), text.find("/*", from)});
  while (end > from + 1 && (text[end - 1] == ' ' || text[end - 1] == '{'))
    --end;
  return std::max(end, from + 1);
}

// Where the statement that holds column `at` begins. Debug information gives an assignment the
// column of its operator.
size_t begin_of_statement(std::string_view text, size_t at) {
  size_t begin = at;
  while (begin > 0 && text[begin - 1] != ';' && text[begin - 1] != '{' && text[begin - 1] != '}')
    --begin;
  while (begin < at && text[begin] == ' ')
    ++begin;
  return begin;
}

constexpr size_t kGutter = 8; // "   57 | "

// Columns for the text of a line.
size_t room_for_source(const Style &style) {
  constexpr size_t kMost = 160;
  constexpr size_t kLeast = 24;
  constexpr size_t kDots = 6; // at both ends
  return style.width == 0
             ? kMost
             : std::clamp(style.width, kGutter + kDots + kLeast, kGutter + kDots + kMost) -
                   kGutter - kDots;
}

// Of a very long line, what is around the column. Only ASCII is cut: half a character is none.
void keep_near(std::string &text, size_t &column, size_t room) {
  if (text.size() <= room || column > text.size() ||
      std::ranges::any_of(text, [](unsigned char c) { return c >= 0x80; }))
    return;
  if (column > room / 2) {
    const size_t dropped = column - room / 2;
    text = "..." + text.substr(dropped);
    column = column - dropped + 3;
  }
  if (text.size() > room)
    text = text.substr(0, room) + "...";
}

} // namespace

std::optional<Statement> statement_at(std::string_view line, size_t column) {
  if (column == 0 || column > line.size())
    return std::nullopt;
  const size_t caret = column - 1;
  return Statement{line[caret] == '=' ? begin_of_statement(line, caret) : caret,
                   end_of_statement(line, caret)};
}

std::string render(const Excerpt &excerpt, const Style &style) {
  std::string text = printable(excerpt.text);
  while (!text.empty() && text.back() == ' ')
    text.pop_back();
  size_t column = excerpt.column;
  keep_near(text, column, room_for_source(style));
  std::string shown = fmt::format("{:>5} | {}\n", excerpt.line, text);
  const std::optional<Statement> statement = statement_at(text, column);
  if (!statement) {
    if (!excerpt.remark.empty())
      shown += fmt::format("      | {}\n", excerpt.remark);
    return shown;
  }
  const size_t caret = column - 1;
  const auto [begin, end] = *statement;
  const std::string_view view = text;
  const std::string mark = std::string(columns(view.substr(begin, caret - begin)), '~') + "^" +
                           std::string(columns(view.substr(caret, end - caret)) - 1, '~');
  const std::string indent(columns(view.substr(0, begin)), ' ');
  shown += fmt::format("      | {}{}", indent, style.caret(mark));
  if (excerpt.remark.empty())
    return shown + "\n";
  // Where the remark does not fit behind the caret, it has a line of its own.
  const size_t needed = kGutter + indent.size() + mark.size() + 1 + columns(excerpt.remark);
  const bool fits = style.width == 0 || needed <= style.width;
  return shown + (fits ? " " : "\n      | ") + excerpt.remark + "\n";
}

} // namespace culprit::report
