// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Characters of text that anybody may have written: what they are, and whether they would do
// something to a terminal, a page or its reader rather than be seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace culprit::report {

struct Character {
  uint32_t code = 0;
  size_t length = 0; // in bytes; 0: no character begins here
};

// The character that begins at `at`, by the rules of RFC 3629: none is longer than it need be, is a
// surrogate or lies beyond U+10FFFF.
Character decode(std::string_view bytes, size_t at);

// Of C0 or C1, or DEL: a terminal may obey it.
bool is_control(uint32_t code);
// Changes the direction of what follows, or cannot be seen: a name may pretend to be another.
bool is_deceptive(uint32_t code);
// No character of any text, and none of XML.
bool is_noncharacter(uint32_t code);

// Harmless on a terminal and in a log: control characters, those that cannot be seen or change the
// direction of writing, and bytes that are no UTF-8 become '?', a tab becomes one blank. As many
// bytes as before, so that columns stay where they are.
std::string printable(std::string_view text);

} // namespace culprit::report
