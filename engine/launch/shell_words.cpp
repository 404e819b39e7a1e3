// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/shell_words.h"

#include <algorithm>
#include <fmt/format.h>

namespace culprit::launch {
namespace {

constexpr std::string_view kBlank = " \t\r\n";
constexpr std::string_view kOperators = "|&;()<>";
constexpr std::string_view kEscapedInDoubleQuotes = "$`\"\\\n";

bool is_one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Parser {
public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<ShellLine> parse() {
    while (position_ < text_.size() && !error_)
      step();
    if (!error_)
      finish_word();
    if (!error_ && awaiting_file_)
      complain("'<' is not followed by a file name", {});
    if (error_)
      return std::unexpected(std::move(*error_));
    return std::move(line_);
  }

private:
  void step() {
    char c = text_[position_];
    if (is_one_of(c, kBlank)) {
      finish_word();
      ++position_;
    } else if (c == '#' && !in_word_) {
      position_ = text_.size();
    } else if (c == '\'') {
      single_quoted();
    } else if (c == '"') {
      double_quoted();
    } else if (c == '\\') {
      escaped();
    } else if (c == '<') {
      redirection();
    } else if (is_one_of(c, kOperators)) {
      complain(fmt::format("'{}' has no meaning here", c), "put it in quotes to pass it on");
    } else if (!is_expansion(/*in_double_quotes=*/false)) {
      add(c);
      ++position_;
    }
  }

  void add(char c) {
    in_word_ = true;
    word_ += c;
  }

  void single_quoted() {
    size_t end = text_.find('\'', position_ + 1);
    if (end == std::string_view::npos)
      return complain("a single quote is not closed", "close it, or write \\' for the character");
    in_word_ = quoted_ = true;
    word_ += text_.substr(position_ + 1, end - position_ - 1);
    position_ = end + 1;
  }

  void double_quoted() {
    in_word_ = quoted_ = true;
    for (++position_; position_ < text_.size() && !error_; ++position_) {
      char c = text_[position_];
      if (c == '"') {
        ++position_;
        return;
      }
      if (c == '\\' && position_ + 1 < text_.size() &&
          is_one_of(text_[position_ + 1], kEscapedInDoubleQuotes)) {
        ++position_;
        if (text_[position_] != '\n') // a continued line
          word_ += text_[position_];
      } else if (!is_expansion(/*in_double_quotes=*/true)) {
        word_ += c;
      }
    }
    if (!error_)
      complain("a double quote is not closed", "close it, or write \\\" for the character");
  }

  void escaped() {
    if (position_ + 1 == text_.size())
      return complain("a backslash at the end quotes nothing", "write \\\\ for the character");
    if (text_[position_ + 1] != '\n') {
      add(text_[position_ + 1]);
      quoted_ = true;
    }
    position_ += 2;
  }

  void redirection() {
    bool numbered = in_word_ && !quoted_ && std::ranges::all_of(word_, is_digit);
    char next = position_ + 1 < text_.size() ? text_[position_ + 1] : ' ';
    if (numbered || is_one_of(next, "<>&("))
      return complain("only '< FILE' is understood as a redirection",
                      "put '<' in quotes to pass it on");
    finish_word();
    if (awaiting_file_)
      return complain("'<' is not followed by a file name", {});
    if (line_.standard_input)
      return complain("standard input is given twice", {});
    awaiting_file_ = true;
    ++position_;
  }

  // Complains about what sh would replace by something else.
  bool is_expansion(bool in_double_quotes) {
    char c = text_[position_];
    char next = position_ + 1 < text_.size() ? text_[position_ + 1] : ' ';
    bool dollar = c == '$' && (is_letter(next) || is_digit(next) || is_one_of(next, "_{(@*#?$!-") ||
                               (!in_double_quotes && is_one_of(next, "'\"")));
    if (c != '`' && !dollar)
      return false;
    complain(fmt::format("'{}' would be expanded by a shell and is not here", c),
             "put it in single quotes to pass it on");
    return true;
  }

  void finish_word() {
    if (!in_word_)
      return;
    if (awaiting_file_)
      line_.standard_input = std::move(word_);
    else
      line_.words.push_back(std::move(word_));
    awaiting_file_ = in_word_ = quoted_ = false;
    word_.clear();
  }

  void complain(std::string what, std::string hint) {
    error_ = Error{fmt::format("column {}: {}", position_ + 1, what), std::move(hint)};
  }

  std::string_view text_;
  size_t position_ = 0;
  ShellLine line_;
  std::string word_;
  bool in_word_ = false;
  bool quoted_ = false;
  bool awaiting_file_ = false;
  std::optional<Error> error_;
};

bool is_plain(char c) { return is_letter(c) || is_digit(c) || is_one_of(c, "_-./,:=@%+^"); }

} // namespace

Result<ShellLine> parse_shell_line(std::string_view text) { return Parser(text).parse(); }

std::string shell_quote(std::string_view word) {
  if (!word.empty() && std::ranges::all_of(word, is_plain))
    return std::string(word);
  std::string quoted = "'";
  for (char c : word)
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  return quoted + "'";
}

std::string shell_quote(const ShellLine &line) {
  std::string text;
  for (const std::string &word : line.words) {
    if (!text.empty())
      text += ' ';
    text += shell_quote(word);
  }
  if (line.standard_input)
    text += (text.empty() ? "< " : " < ") + shell_quote(*line.standard_input);
  return text;
}

} // namespace culprit::launch
