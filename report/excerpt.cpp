// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/excerpt.h"

#include <algorithm>
#include <fmt/format.h>

namespace culprit::report {

namespace {

// Columns of a terminal, near enough: characters, not bytes.
size_t columns(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](unsigned char c) { return (c & 0xc0) != 0x80; }));
}

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

// Of a very long line, what is around the column. Only ASCII is cut: half a character is none.
void keep_near(std::string &text, size_t &column) {
  constexpr size_t kWidth = 160;
  if (text.size() <= kWidth || column > text.size() ||
      std::ranges::any_of(text, [](unsigned char c) { return c >= 0x80; }))
    return;
  if (column > kWidth / 2) {
    const size_t dropped = column - kWidth / 2;
    text = "..." + text.substr(dropped);
    column = column - dropped + 3;
  }
  if (text.size() > kWidth)
    text = text.substr(0, kWidth) + "...";
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
  keep_near(text, column);
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
  return shown + fmt::format("      | {}{}{}{}\n", std::string(columns(view.substr(0, begin)), ' '),
                             style.caret(mark), excerpt.remark.empty() ? "" : " ", excerpt.remark);
}

} // namespace culprit::report
