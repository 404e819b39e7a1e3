// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HTML that cannot be broken by what it shows. A piece of markup is made of text, which is escaped
// here and nowhere else, and of elements, whose names are literals of our source.
//
// Rules: there is no way to turn a string into markup without escaping it. What would do something
// to the page or its reader is shown instead: control characters as their pictures (␛), characters
// that change the direction or cannot be seen by their number (⟨U+202E⟩), bytes that are no UTF-8
// as U+FFFD. A link leads into the page itself, never out of it.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace culprit::report::html {

// A name of an element or attribute: known when this was compiled.
class Literal {
public:
  template <size_t N>
  consteval Literal(const char (&name)[N]) : name_(name) {} // NOLINT: implicit, as literals are
  constexpr std::string_view view() const { return name_; }

private:
  const char *name_;
};

struct Attribute {
  Literal name;
  std::string value;
};
using Attributes = std::vector<Attribute>;

// The text with everything made visible that would do something to its reader, as above; for
// whoever shows it as text by other means than markup.
std::string visible(std::string_view text);
// The same for text and attribute values in double quotes.
std::string escaped(std::string_view text);

class Markup {
public:
  Markup() = default;

  Markup &operator+=(const Markup &more) {
    bytes_ += more.bytes_;
    return *this;
  }
  const std::string &bytes() const { return bytes_; }
  bool empty() const { return bytes_.empty(); }

private:
  explicit Markup(std::string bytes) : bytes_(std::move(bytes)) {}
  friend Markup text(std::string_view text);
  friend Markup lines(std::string_view text);
  friend Markup element(Literal name, const std::vector<Attribute> &attributes,
                        const Markup &inside);
  friend Markup single(Literal name, const std::vector<Attribute> &attributes);

  std::string bytes_;
};

Markup text(std::string_view text);
// Text of several lines, for <pre>.
Markup lines(std::string_view text);
Markup element(Literal name, const Attributes &attributes, const Markup &inside);
Markup element(Literal name, const Attributes &attributes, std::string_view inside);
Markup element(Literal name, const Markup &inside);
Markup element(Literal name, std::string_view inside);
// Elements without an inside, of SVG.
Markup shape(Literal name, const Attributes &attributes);
// Elements that have no end, of HTML: input.
Markup single(Literal name, const Attributes &attributes);

Markup joined(std::initializer_list<Markup> parts);

} // namespace culprit::report::html
